/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.agent.AgentCost;
import io.phasewise.common.cli.OptionCheck;
import io.phasewise.lab.measure.Scratch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What the agent's hooks cost brokers under load. */
@Command(
        name = "agent-load",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Share of the agent's hooks in the processor time of request handlers and network"
                + " threads, by samples: three brokers under load.")
final class AgentLoadCommand implements Callable<String> {
    private final Path root;
    private final Consumer<String> progress;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "Partitions in all, replicated three times; one of ten has load (${DEFAULT-VALUE}).")
    private int partitions = 200;

    @Option(
            names = "--sample",
            paramLabel = "SECONDS",
            description = "How long to sample, after a warm-up as long (${DEFAULT-VALUE}).")
    private int sampled = 180;

    AgentLoadCommand(Path root, Consumer<String> progress) {
        this.root = root;
        this.progress = progress;
    }

    @Override
    public String call() throws IOException, InterruptedException {
        new OptionCheck()
                .within("--partitions", partitions, 30, 20_000)
                .within("--sample", sampled, 1, 3_600)
                .done();
        try (Scratch scratch = Scratch.create()) {
            AgentCost cost = new AgentCost(root, scratch.directory(), partitions, progress);
            return "%d partitions, %d s sampled.%n%n%s"
                    .formatted(partitions, sampled, cost.sample(Duration.ofSeconds(sampled)));
        }
    }
}
