/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import io.phasewise.kafka.ConnectionTimes;
import io.phasewise.kafka.EndedAdmin;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.AwaitException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * The admin client of a cluster, opened on first use, and the requests that the lab makes with it.
 */
final class ClusterAdmin {

    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Duration REQUEST_BOUND = Duration.ofSeconds(5);

    private final Map<String, Object> properties;
    private Admin client;

    /**
     * @param properties of a client of the super user
     */
    ClusterAdmin(Map<String, Object> properties) {
        this.properties = new HashMap<>(properties);
    }

    /** The client: the same one at each call until it is closed. */
    synchronized Admin client() {
        if (client == null) {
            properties.put("client.id", "phasewise-lab");
            // // So that a broker that was down is tried again soon after its start.
            properties.put("reconnect.backoff.max.ms", "200");
            properties.put("request.timeout.ms", Long.toString(REQUEST_BOUND.toMillis()));
            properties.put("default.api.timeout.ms", "15000");
            ConnectionTimes.bound(properties);
            ConnectionTimes.endSilent(properties);
            // // A client that connects while brokers start knows only some of them. When it can
            // reach none of these, it asks its bootstrap servers again after this time; the default
            // is five minutes.
            properties.put("metadata.recovery.rebootstrap.trigger.ms", "10000");
            client = Admin.create(properties);
        }
        return client;
    }

    synchronized void close() {
        if (client != null) {
            client.close(Duration.ZERO);
            client = null;
        }
    }

    /** Holds when the broker is registered and unfenced. */
    Await.Check registered(KafkaBroker broker) {
        return () -> {
            // // The client logs a warning for each address where nobody listens, so it is not used
            // before.
            Optional<String> silent = broker.listens().missing();
            if (silent.isPresent()) {
                return silent;
            }
            boolean known = answer(client().describeCluster().nodes()).stream()
                    .mapToInt(Node::id)
                    .anyMatch(id -> id == broker.id());
            return known ? Optional.empty() : Optional.of(broker.name() + " is not registered yet");
        };
    }

    /** Of a client that has ended there is none; the next request opens another. */
    private <T> T answer(KafkaFuture<T> asked) throws Exception {
        try {
            return asked.get(5, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (EndedAdmin.isToldBy(e.getCause())) {
                close();
            }
            throw e;
        }
    }

    /**
     * Creates a topic and waits until every partition has a leader and all its replicas in sync.
     *
     * @throws AwaitException when that takes too long
     */
    void createTopic(NewTopic topic) throws InterruptedException {
        long start = System.nanoTime();
        try {
            client().createTopics(List.of(topic)).all().get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // A request without an answer in time is sent again, and may find the topic that it
            // created.
            boolean mayBeOurs = e.getCause() instanceof TopicExistsException
                    && System.nanoTime() - start >= REQUEST_BOUND.toNanos();
            if (!mayBeOurs) {
                throw new IllegalStateException("cannot create topic " + topic.name(), e);
            }
        }
        awaitInSync("topic " + topic.name(), BOUND, () -> List.of(topic.name()));
    }

    /**
     * Waits until every partition of some topics has a leader and all its replicas in sync.
     *
     * @param topics their names, read again at each look
     * @throws AwaitException when that takes too long
     */
    void awaitInSync(String what, Duration bound, Callable<Collection<String>> topics) throws InterruptedException {
        Await.that(what + " is in sync", bound).until(() -> {
            long behind = behind(topics.call());
            return behind == 0 ? Optional.empty() : Optional.of(behind + " partitions lack a replica");
        });
    }

    /** The names of all topics. */
    Collection<String> topics() throws Exception {
        return answer(client().listTopics().names());
    }

    private long behind(Collection<String> topics) throws Exception {
        return answer(client().describeTopics(topics).allTopicNames()).values().stream()
                .flatMap(topic -> topic.partitions().stream())
                .filter(each -> each.leader() == null
                        || each.isr().size() < each.replicas().size())
                .count();
    }
}
