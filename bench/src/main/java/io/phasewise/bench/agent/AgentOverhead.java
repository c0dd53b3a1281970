/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import io.phasewise.bench.run.MedianInterval;
import io.phasewise.bench.run.Table;
import io.phasewise.bench.run.Usage;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.net.PortLease;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What the agent costs a broker under load: two brokers that differ in nothing but the agent, one
 * of which has work at any moment, in turns. Each turn of one is compared with the turn of the
 * other beside it, so that what drifts on the machine meets both.
 */
public final class AgentOverhead {
    private static final int HEAP_MEBIBYTES = 512;

    private final Path root;
    private final Path directory;
    private final ProduceLoad load;
    private final Consumer<String> progress;

    /**
     * @param root the repository's root, with the agent built
     * @param directory for the brokers' files
     * @param producers at once
     * @param bytes size of a record
     * @param progress takes a line now and then
     */
    public AgentOverhead(
            Path root, Path directory, int producers, int bytes, Consumer<String> progress) {
        this.root = root;
        this.directory = directory;
        this.load = new ProduceLoad(producers, bytes);
        this.progress = progress;
    }

    /**
     * What one turn came to.
     *
     * @param cpuMicros processor time of the broker for each request
     */
    private record Turn(double requestsPerSecond, double p99Millis, double cpuMicros) {}

    /**
     * Runs it.
     *
     * @param rounds compared, after two to warm up; each a turn without and one with the agent
     * @param length of a turn
     * @throws ExecutionException when a record cannot be produced
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public Table run(int rounds, Duration length) throws InterruptedException, ExecutionException {
        Path jar = root.resolve("exporter/target/phasewise-exporter.jar");
        try (PortLease port = PortLease.take(1);
                KafkaCluster plain = broker("plain").build();
                KafkaCluster timed =
                        broker("timed")
                                .jvmOption("-javaagent:" + jar + "=127.0.0.1:" + port.port(0))
                                .build()) {
            for (KafkaCluster cluster : List.of(plain, timed)) {
                cluster.start();
                cluster.createTopic(ProduceLoad.TOPIC, load.producers(), 1, Map.of());
            }
            List<Turn> without = new ArrayList<>();
            List<Turn> with = new ArrayList<>();
            for (int round = -2; round < rounds; round++) {
                boolean plainFirst = round % 2 == 0;
                Turn first = turn(plainFirst ? plain : timed, length);
                Turn second = turn(plainFirst ? timed : plain, length);
                if (round >= 0) {
                    without.add(plainFirst ? first : second);
                    with.add(plainFirst ? second : first);
                    progress.accept(
                            String.format(
                                    Locale.ROOT,
                                    "round %d of %d: %.0f and %.0f requests a second",
                                    round + 1,
                                    rounds,
                                    without.get(round).requestsPerSecond(),
                                    with.get(round).requestsPerSecond()));
                }
            }
            return table(without, with);
        }
    }

    private KafkaCluster.Builder broker(String name) {
        return KafkaCluster.builder(root, directory.resolve(name))
                .brokers(1)
                .heapMebibytes(HEAP_MEBIBYTES);
    }

    private Turn turn(KafkaCluster cluster, Duration length)
            throws InterruptedException, ExecutionException {
        long pid = cluster.broker(1).pid();
        double before = Usage.of(pid).cpuSeconds();
        ProduceLoad.Outcome outcome = load.run(cluster.bootstrap(), length);
        double used = Usage.of(pid).cpuSeconds() - before;
        double requests = outcome.requestsPerSecond() * length.toSeconds();
        return new Turn(outcome.requestsPerSecond(), outcome.p99Millis(), used / requests * 1e6);
    }

    private static Table table(List<Turn> without, List<Turn> with) {
        Table table = new Table("median of the rounds", "without agent", "with agent", "ratio");
        row(table, "requests a second", "%.0f", without, with, Turn::requestsPerSecond);
        row(table, "p99, ms", "%.3f", without, with, Turn::p99Millis);
        row(table, "broker's processor time, us a request", "%.1f", without, with, Turn::cpuMicros);
        return table;
    }

    /** The ratio is that of each round, of which the median is shown: not that of the medians. */
    private static void row(
            Table table,
            String what,
            String format,
            List<Turn> without,
            List<Turn> with,
            ToDoubleFunction<Turn> value) {
        List<Double> plain = without.stream().map(value::applyAsDouble).toList();
        List<Double> timed = with.stream().map(value::applyAsDouble).toList();
        List<Double> ratios =
                IntStream.range(0, plain.size())
                        .mapToObj(i -> timed.get(i) / plain.get(i))
                        .toList();
        table.row(
                what,
                String.format(Locale.ROOT, format, MedianInterval.of(plain).median()),
                String.format(Locale.ROOT, format, MedianInterval.of(timed).median()),
                MedianInterval.of(ratios).toString());
    }
}
