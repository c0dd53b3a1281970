/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.agent.AgentCost;
import io.phasewise.lab.measure.Scratch;
import io.phasewise.lab.measure.Table;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the agent's hooks cost brokers under load. */
@Command(
        name = "agent-load",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Processor time for each request with the agent's hooks on, without marks, and off:",
            "three brokers, switched while they run. Or, with --sample, the hooks' share of it."
        })
final class AgentLoadCommand implements Callable<String> {
    private static final Duration PERIOD = Duration.ofSeconds(5);
    private static final int SEED = 1;

    private final Path root;
    private final Consumer<String> progress;

    @Spec private CommandSpec spec;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "In all, replicated three times; one of ten has load (${DEFAULT-VALUE}).")
    private int partitions = 200;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description =
                    "Compared, of three periods of 5 s each; gives three pairs, one for each broker"
                            + " (${DEFAULT-VALUE}).")
    private int rounds = 67;

    @Option(
            names = "--sample",
            paramLabel = "SECONDS",
            description =
                    "Sample for so long what the threads do, with all hooks on, after as long to"
                            + " warm up. No periods are compared.")
    private Integer sampled;

    AgentLoadCommand(Path root, Consumer<String> progress) {
        this.root = root;
        this.progress = progress;
    }

    @Override
    public String call() throws Exception {
        new OptionCheck()
                .within("--partitions", partitions, 30, 20_000)
                .within("--rounds", rounds, 1, 10_000)
                .within("--sample", sampled == null ? 1 : sampled, 1, 3_600)
                .done(spec);
        try (Scratch scratch = Scratch.create()) {
            AgentCost cost = new AgentCost(root, scratch.directory(), partitions, SEED, progress);
            Table table =
                    sampled == null
                            ? cost.compare(rounds, PERIOD)
                            : cost.sample(Duration.ofSeconds(sampled));
            String method =
                    sampled == null
                            ? rounds + " rounds of periods of 5 s, seed " + SEED
                            : sampled + " s sampled";
            return "%d partitions, %s.%n%n%s".formatted(partitions, method, table);
        }
    }
}
