/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.agent.AgentStart;
import io.phasewise.lab.measure.Machine;
import io.phasewise.lab.measure.Scratch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The delay that the agent adds to a broker's start. */
@Command(
        name = "agent-start",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Time until a broker has started, with and without the exporter's agent.")
final class AgentStartCommand implements Callable<Integer> {
    private final Path root;

    @Spec private CommandSpec spec;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Compared, a start each without and with (${DEFAULT-VALUE}).")
    private int rounds = 16;

    AgentStartCommand(Path root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        new OptionCheck(spec).atLeast("--rounds", rounds, 1).done();
        try (Scratch scratch = Scratch.create()) {
            String table =
                    new AgentStart(root, scratch.directory(), line -> OnCluster.say("%s", line))
                            .run(rounds)
                            .toString();
            spec.commandLine()
                    .getOut()
                    .printf("%s%n%n%d rounds.%n%n%s", Machine.describe(), rounds, table);
        }
        return 0;
    }
}
