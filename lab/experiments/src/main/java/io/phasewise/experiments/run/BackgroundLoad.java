/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.experiments.plan.Load;
import io.phasewise.lab.process.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * A {@link Load} that goes on until it is closed, on a topic of its own, made when it is missing;
 * sending is left to {@link Producers}.
 */
public final class BackgroundLoad implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(30);

    private final String topic;
    private final Producers producers;

    private BackgroundLoad(String topic, Producers producers) {
        this.topic = topic;
        this.producers = producers;
    }

    /**
     * Begins.
     *
     * @param number tells loads of the same shape apart
     * @param client how to reach the cluster
     * @throws IllegalStateException when the topic cannot be made
     * @throws InterruptedException when interrupted; nothing goes on
     */
    public static BackgroundLoad start(Load load, int number, Map<String, Object> client)
            throws InterruptedException {
        String topic =
                String.format(
                        Target.TOPICS + "load-%d-%d-%d%s",
                        load.partitions(),
                        load.replicationFactor(),
                        number,
                        load.topic().isEmpty()
                                ? ""
                                : "-" + Integer.toHexString(load.topic().hashCode()));
        try (Admin admin = Admin.create(client)) {
            create(admin, load, topic);
        }
        return new BackgroundLoad(topic, new Producers(load, topic, client));
    }

    private static void create(Admin admin, Load load, String topic) throws InterruptedException {
        try {
            // A laptop's disk is not the experiment.
            Map<String, String> small = new HashMap<>(Map.of("retention.bytes", "67108864"));
            small.putAll(load.topic());
            NewTopic fresh =
                    new NewTopic(topic, load.partitions(), (short) load.replicationFactor())
                            .configs(small);
            admin.createTopics(List.of(fresh)).all().get(BOUND.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new IllegalStateException("cannot create topic " + topic, e);
            }
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

    /** Its topic. */
    public String topic() {
        return topic;
    }

    /** Records acknowledged so far. */
    public long acknowledged() {
        return producers.acknowledged();
    }

    @Override
    public void close() {
        producers.close();
    }
}
