/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import io.phasewise.kafka.ConnectionTimes;
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
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.TopicExistsException;

/** The administrator's client of a cluster, made when first asked for, and what it is used for. */
final class ClusterAdmin {

    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Duration REQUEST_BOUND = Duration.ofSeconds(5);

    private final Map<String, Object> properties;
    private Admin client;

    /**
     * @param properties of a client that may do everything
     */
    ClusterAdmin(Map<String, Object> properties) {
        this.properties = new HashMap<>(properties);
    }

    /** The same at each call until it is closed. */
    synchronized Admin client() {
        if (client == null) {
            properties.put("client.id", "phasewise-lab");
            // A broker that was down must be tried again soon, or waiting for it takes seconds
            // longer than its start.
            properties.put("reconnect.backoff.max.ms", "200");
            properties.put("request.timeout.ms", Long.toString(REQUEST_BOUND.toMillis()));
            properties.put("default.api.timeout.ms", "15000");
            ConnectionTimes.bound(properties);
            // A client that asks while brokers start learns of some. Where none of these can be reached, it asks its
            // bootstrap servers again after this time; by default that is five minutes.
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

    /** Holds when the cluster counts the broker in. */
    Await.Check registered(KafkaBroker broker) {
        return () -> {
            // The client complains in the log about each address where nobody listens: not asked
            // before somebody does.
            Optional<String> silent = broker.listens().missing();
            if (silent.isPresent()) {
                return silent;
            }
            boolean known = client().describeCluster().nodes().get(5, TimeUnit.SECONDS).stream()
                    .mapToInt(Node::id)
                    .anyMatch(id -> id == broker.id());
            return known ? Optional.empty() : Optional.of(broker.name() + " is not registered yet");
        };
    }

    /**
     * Creates a topic and waits until every partition has a leader and all its replicas in sync.
     *
     * @throws AwaitException when it does not get there
     */
    void createTopic(NewTopic topic) throws InterruptedException {
        long start = System.nanoTime();
        try {
            client().createTopics(List.of(topic)).all().get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // A request that got no answer in time is made again, and may find what it created.
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
     * @param topics asked for again at each look
     * @throws AwaitException when they do not get there
     */
    void awaitInSync(String what, Duration bound, Callable<Collection<String>> topics) throws InterruptedException {
        Await.that(what + " is in sync", bound).until(() -> {
            long behind = behind(topics.call());
            return behind == 0 ? Optional.empty() : Optional.of(behind + " partitions lack a replica");
        });
    }

    /** The topics that there are. */
    Collection<String> topics() throws Exception {
        return client().listTopics().names().get(5, TimeUnit.SECONDS);
    }

    private long behind(Collection<String> topics) throws Exception {
        return client().describeTopics(topics).allTopicNames().get(5, TimeUnit.SECONDS).values().stream()
                .flatMap(topic -> topic.partitions().stream())
                .filter(each -> each.leader() == null
                        || each.isr().size() < each.replicas().size())
                .count();
    }
}
