/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.net.PortLease;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Two brokers that differ in nothing but the agent and take turns at the same task, the first of a
 * round changing each time: a turn of one is compared with that of the other beside it, so that
 * what drifts on the machine meets both. What a turn is, is left to others.
 */
final class AgentPair implements AutoCloseable {
    private final PortLease port;
    private final KafkaCluster plain;
    private final KafkaCluster timed;
    private final Consumer<String> progress;

    /**
     * Describes the brokers; neither is started.
     *
     * @param root the repository's root, with the agent built
     * @param directory for the brokers' files
     * @param heapMebibytes of each broker
     * @param progress takes a line after each round
     */
    AgentPair(Path root, Path directory, int heapMebibytes, Consumer<String> progress) {
        this.progress = progress;
        this.port = PortLease.take(1);
        Path jar = root.resolve("exporter/target/phasewise-exporter.jar");
        this.plain = broker(root, directory.resolve("plain"), heapMebibytes).build();
        this.timed =
                broker(root, directory.resolve("timed"), heapMebibytes)
                        .jvmOption("-javaagent:" + jar + "=127.0.0.1:" + port.port(0))
                        .build();
    }

    private static KafkaCluster.Builder broker(Path root, Path directory, int heapMebibytes) {
        return KafkaCluster.builder(root, directory).brokers(1).heapMebibytes(heapMebibytes);
    }

    /**
     * What one of the brokers does in its turn.
     *
     * @param <T> what comes of it
     * @param <E> what it may fail with
     */
    @FunctionalInterface
    interface Turn<T, E extends Exception> {
        T take(KafkaCluster broker) throws E, InterruptedException;
    }

    /** Both brokers, the one without the agent first. */
    List<KafkaCluster> both() {
        return List.of(plain, timed);
    }

    /**
     * Takes the turns.
     *
     * @param warmUp rounds that are not compared
     * @param rounds that are, a turn without and one with the agent each
     * @param shown of each turn in the line after its round
     * @param unit of what is shown
     */
    <T, E extends Exception> Rounds<T> run(
            int warmUp, int rounds, Turn<T, E> turn, ToDoubleFunction<T> shown, String unit)
            throws E, InterruptedException {
        Rounds<T> taken = new Rounds<>(new ArrayList<>(), new ArrayList<>());
        for (int round = -warmUp; round < rounds; round++) {
            boolean plainFirst = round % 2 == 0;
            T first = turn.take(plainFirst ? plain : timed);
            T second = turn.take(plainFirst ? timed : plain);
            if (round >= 0) {
                T without = plainFirst ? first : second;
                T with = plainFirst ? second : first;
                taken.without().add(without);
                taken.with().add(with);
                progress.accept(
                        String.format(
                                Locale.ROOT,
                                "round %d of %d: %.0f and %.0f %s",
                                round + 1,
                                rounds,
                                shown.applyAsDouble(without),
                                shown.applyAsDouble(with),
                                unit));
            }
        }
        return taken;
    }

    @Override
    public void close() {
        timed.close();
        plain.close();
        port.close();
    }
}
