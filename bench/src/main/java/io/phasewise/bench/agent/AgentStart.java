/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import io.phasewise.bench.run.MedianInterval;
import io.phasewise.bench.run.Usage;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Table;
import io.phasewise.lab.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * By how much the agent delays the start of a broker: two brokers are started in turns on files of
 * their own, until they log that they have started.
 */
public final class AgentStart {
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final int HEAP_MEBIBYTES = 256;
    private static final int WARM_UP_ROUNDS = 1;

    /** How often the log is looked at: the error of a start's time. */
    private static final Duration LOOK = Duration.ofMillis(5);

    private final Path root;
    private final Path directory;
    private final Consumer<String> progress;

    /**
     * @param root the repository's root, with the agent built
     * @param directory for the broker's files
     * @param progress takes a line now and then
     */
    public AgentStart(Path root, Path directory, Consumer<String> progress) {
        this.root = root;
        this.directory = directory;
        this.progress = progress;
    }

    /**
     * What one start took.
     *
     * @param millis from the start of the process to the line in the log
     * @param cpuMillis processor time of the process until then
     */
    private record Start(double millis, double cpuMillis) {}

    /**
     * Runs it.
     *
     * @param rounds compared, after one to warm up; each a start without and one with the agent
     * @throws IOException when the log cannot be read
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public Table run(int rounds) throws IOException, InterruptedException {
        try (AgentPair pair = new AgentPair(root, directory, HEAP_MEBIBYTES, progress)) {
            pair.both().forEach(KafkaCluster::prepare);
            Rounds<Start> taken =
                    pair.run(WARM_UP_ROUNDS, rounds, AgentStart::start, Start::millis, "ms");
            Table table =
                    new Table("median of the rounds", "without agent", "with agent", "difference");
            table.row(difference(taken, "time to start, ms", Start::millis));
            table.row(difference(taken, "processor time to start, ms", Start::cpuMillis));
            return table;
        }
    }

    private static Start start(KafkaCluster cluster) throws IOException, InterruptedException {
        KafkaBroker broker = cluster.broker(1);
        Files.deleteIfExists(broker.log());
        long begin = System.nanoTime();
        cluster.launch();
        try {
            Await.that("the broker has started", BOUND)
                    .every(LOOK)
                    .needing(List.of(broker.process().orElseThrow()))
                    .until(
                            () ->
                                    Files.readString(broker.log()).contains("Kafka Server started")
                                            ? Optional.empty()
                                            : Optional.of("not yet"));
            double millis = (System.nanoTime() - begin) / 1e6;
            return new Start(millis, Usage.of(broker.pid()).cpuSeconds() * 1e3);
        } finally {
            cluster.stop();
        }
    }

    private static String[] difference(
            Rounds<Start> taken, String what, ToDoubleFunction<Start> value) {
        return taken.row(
                what, "%.0f", value, (with, without) -> with - without, AgentStart::wholeMillis);
    }

    private static String wholeMillis(MedianInterval interval) {
        return String.format(
                Locale.ROOT,
                "%.0f (%.1f %% interval %.0f to %.0f)",
                interval.median(),
                100 * interval.coverage(),
                interval.low(),
                interval.high());
    }
}
