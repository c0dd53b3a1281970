/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.agent.AgentCost;
import io.phasewise.lab.measure.Machine;
import io.phasewise.lab.measure.Scratch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
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
            "Processor time for each request with the agent's hooks on, without marks, and off.",
            "Three brokers, switched while they run."
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

    AgentLoadCommand(Path root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException, InterruptedException, ExecutionException {
        new OptionCheck(spec)
                .within("--partitions", partitions, 30, 20_000)
                .atLeast("--rounds", rounds, 1)
                .atLeast("--seconds", seconds, 1)
                .done();
        try (Scratch scratch = Scratch.create()) {
            String table =
                    new AgentCost(
                                    root,
                                    scratch.directory(),
                                    partitions,
                                    seed,
                                    spec.commandLine().getErr()::println)
                            .run(rounds, Duration.ofSeconds(seconds))
                            .toString();
            spec.commandLine()
                    .getOut()
                    .printf(
                            "%s%n%n%d partitions, %d rounds of periods of %d s, seed %d.%n%n%s",
                            Machine.describe(), partitions, rounds, seconds, seed, table);
        }
        return 0;
    }
}
