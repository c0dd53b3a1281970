/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import io.phasewise.bench.run.MedianInterval;
import io.phasewise.bench.run.Table;
import io.phasewise.bench.run.Usage;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * By how much the agent delays the start of a broker: two brokers that differ in nothing but the
 * agent, started in turns on files of their own, until they log that they have started. Compared is
 * each start with the one beside it, so that what drifts on the machine meets both.
 */
public final class AgentStart {
    private static final Duration BOUND = Duration.ofMinutes(2);

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
        Path jar = root.resolve("exporter/target/phasewise-exporter.jar");
        try (PortLease port = PortLease.take(1);
                KafkaCluster plain = broker("plain").build();
                KafkaCluster timed =
                        broker("timed")
                                .jvmOption("-javaagent:" + jar + "=127.0.0.1:" + port.port(0))
                                .build()) {
            plain.prepare();
            timed.prepare();
            List<Start> without = new ArrayList<>();
            List<Start> with = new ArrayList<>();
            for (int round = -1; round < rounds; round++) {
                boolean plainFirst = round % 2 == 0;
                Start first = start(plainFirst ? plain : timed);
                Start second = start(plainFirst ? timed : plain);
                if (round >= 0) {
                    without.add(plainFirst ? first : second);
                    with.add(plainFirst ? second : first);
                    progress.accept(
                            String.format(
                                    Locale.ROOT,
                                    "round %d of %d: %.0f and %.0f ms",
                                    round + 1,
                                    rounds,
                                    without.get(round).millis(),
                                    with.get(round).millis()));
                }
            }
            return table(without, with);
        }
    }

    private KafkaCluster.Builder broker(String name) {
        return KafkaCluster.builder(root, directory.resolve(name)).brokers(1);
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

    private static Table table(List<Start> without, List<Start> with) {
        Table table =
                new Table("median of the rounds", "without agent", "with agent", "difference");
        row(table, "time to start, ms", without, with, Start::millis);
        row(table, "processor time to start, ms", without, with, Start::cpuMillis);
        return table;
    }

    /** The difference is that of each round, of which the median is shown. */
    private static void row(
            Table table,
            String what,
            List<Start> without,
            List<Start> with,
            ToDoubleFunction<Start> value) {
        List<Double> plain = without.stream().map(value::applyAsDouble).toList();
        List<Double> timed = with.stream().map(value::applyAsDouble).toList();
        List<Double> differences =
                IntStream.range(0, plain.size())
                        .mapToObj(i -> timed.get(i) - plain.get(i))
                        .toList();
        MedianInterval difference = MedianInterval.of(differences);
        table.row(
                what,
                String.format(Locale.ROOT, "%.0f", MedianInterval.of(plain).median()),
                String.format(Locale.ROOT, "%.0f", MedianInterval.of(timed).median()),
                String.format(
                        Locale.ROOT,
                        "%.0f (%.1f %% interval %.0f to %.0f)",
                        difference.median(),
                        100 * difference.coverage(),
                        difference.low(),
                        difference.high()));
    }
}
