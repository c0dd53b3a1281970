/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import io.phasewise.bench.run.MedianInterval;
import io.phasewise.bench.run.Usage;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Table;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * What the agent costs a broker under load: of two brokers that run, one has work at any moment, in
 * turns.
 */
public final class AgentOverhead {
    private static final int HEAP_MEBIBYTES = 512;
    private static final int WARM_UP_ROUNDS = 2;

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
        try (AgentPair pair = new AgentPair(root, directory, HEAP_MEBIBYTES, progress)) {
            for (KafkaCluster cluster : pair.both()) {
                cluster.start();
                cluster.createTopic(ProduceLoad.TOPIC, load.producers(), 1, Map.of());
            }
            Rounds<Turn> taken =
                    pair.run(
                            WARM_UP_ROUNDS,
                            rounds,
                            cluster -> turn(cluster, length),
                            Turn::requestsPerSecond,
                            "requests a second");
            Table table = new Table("median of the rounds", "without agent", "with agent", "ratio");
            table.row(ratio(taken, "requests a second", "%.0f", Turn::requestsPerSecond));
            table.row(ratio(taken, "p99, ms", "%.3f", Turn::p99Millis));
            table.row(
                    ratio(taken, "broker's processor time, us a request", "%.1f", Turn::cpuMicros));
            return table;
        }
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

    private static String[] ratio(
            Rounds<Turn> taken, String what, String format, ToDoubleFunction<Turn> value) {
        return taken.row(
                what, format, value, (with, without) -> with / without, MedianInterval::toString);
    }
}
