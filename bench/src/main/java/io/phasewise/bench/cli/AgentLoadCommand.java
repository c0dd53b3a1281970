/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.agent.AgentCost;
import io.phasewise.lab.measure.Machine;
import io.phasewise.lab.measure.Scratch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
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
final class AgentLoadCommand implements Callable<Integer> {
    private final Path root;

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
                    "Compared, of three periods each; gives three pairs, one for each broker"
                            + " (${DEFAULT-VALUE}).")
    private int rounds = 67;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            description = "Length of a period (${DEFAULT-VALUE}).")
    private int seconds = 5;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of the order of the periods (${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--sample",
            paramLabel = "SECONDS",
            description =
                    "Sample for so long what the threads do, with all hooks on, after as long to"
                            + " warm up. No periods are compared.")
    private Integer sampled;

    AgentLoadCommand(Path root) {
        this.root = root;
    }

    @Override
    public Integer call() throws Exception {
        new OptionCheck(spec)
                .within("--partitions", partitions, 30, 20_000)
                .atLeast("--rounds", rounds, 1)
                .atLeast("--seconds", seconds, 1)
                .atLeast("--sample", sampled == null ? 1 : sampled, 1)
                .done();
        try (Scratch scratch = Scratch.create()) {
            AgentCost cost =
                    new AgentCost(
                            root,
                            scratch.directory(),
                            partitions,
                            seed,
                            spec.commandLine().getErr()::println);
            boolean compared = sampled == null;
            String method =
                    compared
                            ? "%d rounds of periods of %d s, seed %d"
                                    .formatted(rounds, seconds, seed)
                            : "%d s sampled".formatted(sampled);
            spec.commandLine()
                    .getOut()
                    .printf(
                            "%s%n%n%d partitions, %s.%n%n%s",
                            Machine.describe(),
                            partitions,
                            method,
                            compared
                                    ? cost.compare(rounds, Duration.ofSeconds(seconds))
                                    : cost.sample(Duration.ofSeconds(sampled)));
        }
        return 0;
    }
}
