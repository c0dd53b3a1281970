/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.experiments.fault.Administration;
import io.phasewise.experiments.plan.Load;
import io.phasewise.lab.process.Await;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * A {@link Load} that goes on until it is closed, on a topic made for it; sending is left to {@link
 * Producers}.
 */
public final class BackgroundLoad implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(30);

    private final Producers producers;

    private BackgroundLoad(Producers producers) {
        this.producers = producers;
    }

    /**
     * Begins on a topic that it makes.
     *
     * @param number tells loads of the same shape apart
     * @param client how to reach the cluster
     * @throws UncheckedIOException when the topic cannot be made, one of that name being there
     *     among the reasons, or is not to be had for producers
     * @throws InterruptedException when interrupted; nothing goes on
     */
    public static BackgroundLoad start(Load load, int number, Map<String, Object> client)
            throws InterruptedException {
        String topic = "phasewise-lab-load-" + number;
        create(load, topic, client);
        return on(load, topic, client);
    }

    /** Begins on a topic that {@link #create} made. */
    static BackgroundLoad on(Load load, String topic, Map<String, Object> client)
            throws InterruptedException {
        return new BackgroundLoad(new Producers(load, topic, client));
    }

    /**
     * Makes the topic of a load and waits for its leaders.
     *
     * @throws UncheckedIOException when it cannot be made, one of that name being there among the
     *     reasons; the message says what a cluster must allow
     */
    static void create(Load load, String topic, Map<String, Object> client)
            throws InterruptedException {
        try (Admin admin = Admin.create(client)) {
            create(admin, load, topic);
        }
    }

    private static void create(Admin admin, Load load, String topic) throws InterruptedException {
        // A laptop's disk is not the experiment.
        Map<String, String> small = new HashMap<>(Map.of("retention.bytes", "67108864"));
        small.putAll(load.topic());
        NewTopic fresh =
                new NewTopic(topic, load.partitions(), (short) load.replicationFactor())
                        .configs(small);
        try {
            Administration.done(asked(load, topic), admin.createTopics(List.of(fresh)).all());
        } catch (UncheckedIOException refused) {
            // Some reasons of Kafka's are whole sentences.
            String reason = refused.getMessage().replaceFirst("\\.$", "");
            throw new UncheckedIOException(reason + "; " + needed(load), refused.getCause());
        }
        Await.that("topic " + topic + " has leaders", BOUND)
                .until(
                        () ->
                                admin
                                                .describeTopics(List.of(topic))
                                                .allTopicNames()
                                                .get(5, TimeUnit.SECONDS)
                                                .get(topic)
                                                .partitions()
                                                .stream()
                                                .allMatch(p -> p.leader() != null)
                                        ? Optional.empty()
                                        : Optional.of("not yet"));
    }

    private static String asked(Load load, String topic) {
        return String.format(
                "create topic %s with %d partitions, replication factor %d%s",
                topic,
                load.partitions(),
                load.replicationFactor(),
                load.topic().isEmpty() ? "" : ", " + new TreeMap<>(load.topic()));
    }

    private static String needed(Load load) {
        return String.format(
                "a load needs %d brokers or more, and the right to create, describe, write to and"
                        + " delete topics whose names begin with %s",
                load.replicationFactor(), Target.TOPICS);
    }

    /** Records acknowledged so far. */
    public long acknowledged() {
        return producers.acknowledged();
    }

    /** Records that failed so far. */
    long refused() {
        return producers.refused();
    }

    /** Bytes that left for the brokers so far. */
    double sentBytes() {
        return producers.sentBytes();
    }

    @Override
    public void close() {
        producers.close();
    }
}
