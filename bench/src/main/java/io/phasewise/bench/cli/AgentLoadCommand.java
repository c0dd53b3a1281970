/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.agent.AgentOverhead;
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

/**
 * A broker with the agent beside one without. It finds a large cost only: two JVMs that differ in
 * nothing differ by more than the agent costs.
 */
@Command(
        name = "agent-load",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Produce requests a second and p99 with and without the exporter's agent.")
final class AgentLoadCommand implements Callable<Integer> {
    private final Path root;

    @Spec private CommandSpec spec;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Compared, a turn each without and with (${DEFAULT-VALUE}).")
    private int rounds = 16;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            description = "Length of a turn (${DEFAULT-VALUE}).")
    private int seconds = 5;

    @Option(
            names = "--producers",
            paramLabel = "N",
            description = "At once, a request at a time each (${DEFAULT-VALUE}).")
    private int producers = 8;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            description = "Size of a record (${DEFAULT-VALUE}).")
    private int size = 1024;

    AgentLoadCommand(Path root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException, InterruptedException, ExecutionException {
        new OptionCheck(spec)
                .atLeast("--rounds", rounds, 1)
                .atLeast("--seconds", seconds, 1)
                .within("--producers", producers, 1, 64)
                .within("--size", size, 1, 1_000_000)
                .done();
        try (Scratch scratch = Scratch.create()) {
            String table =
                    new AgentOverhead(
                                    root,
                                    scratch.directory(),
                                    producers,
                                    size,
                                    spec.commandLine().getErr()::println)
                            .run(rounds, Duration.ofSeconds(seconds))
                            .toString();
            spec.commandLine()
                    .getOut()
                    .printf(
                            "%s%n%n%d rounds, turns of %d s, %d producers, records of %d"
                                    + " bytes.%n%n%s",
                            Machine.describe(), rounds, seconds, producers, size, table);
        }
        return 0;
    }
}
