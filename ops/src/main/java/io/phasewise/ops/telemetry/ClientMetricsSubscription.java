/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.telemetry;

import io.phasewise.common.telemetry.PushedMetrics;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListConfigResourcesOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.ConfigResource.Type;

/**
 * Tells a cluster's brokers what their clients are to push, and how often (KIP-714): the resource
 * of the type client-metrics. Receiving it is left to the exporter.
 */
public final class ClientMetricsSubscription {

    /** Package of the exporter's receivers, as {@code metric.reporters} of a broker names them. */
    private static final String RECEIVERS = "io.phasewise.exporter.telemetry.";

    private static final long SECONDS = 20;
    private static final Set<Type> SUBSCRIPTIONS = Set.of(Type.CLIENT_METRICS);

    private final Admin admin;

    /**
     * A subscription that is there.
     *
     * @param settings by their names in Kafka, without those that are not set
     */
    public record Subscription(String name, Map<String, String> settings) {}

    /** Asks and tells by this client, which stays open. */
    public ClientMetricsSubscription(Admin admin) {
        this.admin = admin;
    }

    /**
     * Makes a subscription, or changes the one of that name: to what the exporter has use for, and
     * no more, so that a push stays small however many metrics a client has.
     *
     * @param interval between two pushes of a client, 100 ms to 1 h
     * @param match which clients, {@code client_id=REGEX} and the like, all of which must match;
     *     empty for all clients
     * @throws KafkaException when the brokers refuse or do not answer
     */
    public void enable(String name, Duration interval, List<String> match) throws InterruptedException {
        alter(
                name,
                List.of(
                        set("metrics", String.join(",", PushedMetrics.names())),
                        set("interval.ms", Long.toString(interval.toMillis())),
                        match.isEmpty() ? delete("match") : set("match", String.join(",", match))));
    }

    /**
     * Removes a subscription; one that is not there is no fault.
     *
     * @throws KafkaException when the brokers refuse or do not answer
     */
    public void disable(String name) throws InterruptedException {
        alter(name, List.of(delete("metrics"), delete("interval.ms"), delete("match")));
    }

    /**
     * All subscriptions, by name.
     *
     * @throws KafkaException when the brokers refuse or do not answer
     */
    public List<Subscription> all() throws InterruptedException {
        Collection<ConfigResource> resources =
                get(admin.listConfigResources(SUBSCRIPTIONS, new ListConfigResourcesOptions())
                        .all());
        return get(admin.describeConfigs(resources).all()).entrySet().stream()
                .map(each -> new Subscription(each.getKey().name(), settings(each.getValue())))
                .sorted(Comparator.comparing(Subscription::name))
                .toList();
    }

    /**
     * Brokers without the exporter's receiver, to which clients push nothing, or nothing that is
     * seen.
     *
     * @throws KafkaException when the brokers refuse or do not answer
     */
    public List<Integer> brokersWithoutReceiver() throws InterruptedException {
        List<ConfigResource> brokers = get(admin.describeCluster().nodes()).stream()
                .map(node -> new ConfigResource(Type.BROKER, node.idString()))
                .toList();
        return get(admin.describeConfigs(brokers).all()).entrySet().stream()
                .filter(broker -> !hasReceiver(settings(broker.getValue())))
                .map(broker -> Integer.valueOf(broker.getKey().name()))
                .sorted()
                .toList();
    }

    private static boolean hasReceiver(Map<String, String> settings) {
        return settings.getOrDefault("metric.reporters", "").contains(RECEIVERS);
    }

    private static Map<String, String> settings(Config config) {
        return config.entries().stream()
                .filter(entry -> entry.value() != null && !entry.value().isEmpty())
                .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value, (a, b) -> a, TreeMap::new));
    }

    private void alter(String name, Collection<AlterConfigOp> changes) throws InterruptedException {
        ConfigResource subscription = new ConfigResource(Type.CLIENT_METRICS, name);
        get(admin.incrementalAlterConfigs(Map.of(subscription, changes)).all());
    }

    private static AlterConfigOp set(String key, String value) {
        return new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    }

    private static AlterConfigOp delete(String key) {
        return new AlterConfigOp(new ConfigEntry(key, ""), AlterConfigOp.OpType.DELETE);
    }

    private static <T> T get(KafkaFuture<T> answer) throws InterruptedException {
        try {
            return answer.get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
        } catch (TimeoutException e) {
            throw new KafkaException("no answer within " + SECONDS + " s", e);
        }
    }
}
