/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.telemetry;

import io.phasewise.common.cli.ShellWord;
import io.phasewise.common.cli.UsageException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
     * A subscription that is to be changed.
     *
     * @param before null where there is none
     * @param after null where there is to be none
     */
    public record Change(String name, Map<String, String> before, Map<String, String> after) {}

    /**
     * What {@link #apply} would have to do for one subscription to each kind of clients that was
     * tried, all with a name that begins alike: to what the exporter has use for. Those of these
     * names that are there, and that this tool made, are replaced.
     *
     * @param interval between two pushes of a client, 100 ms to 1 h
     * @param match which clients of these kinds, {@code client_id=REGEX} and the like, all of which
     *     must match; empty for all
     * @throws UsageException when one of these names is a subscription of somebody else's
     * @throws KafkaException when the brokers refuse or do not answer
     */
    public List<Change> enabling(String name, Duration interval, List<String> match) throws InterruptedException {
        return enabling(all(), name, interval, match);
    }

    static List<Change> enabling(List<Subscription> all, String name, Duration interval, List<String> match) {
        Map<String, Map<String, String>> there = there(all, name);
        return ClientKind.TRIED.stream()
                .map(kind -> new Change(
                        name + kind.suffix(),
                        there.get(name + kind.suffix()),
                        kind.settings(interval.toMillis(), match)))
                .filter(change -> !change.after().equals(change.before()))
                .toList();
    }

    /**
     * What {@link #apply} would have to do to remove them.
     *
     * @throws UsageException when one of these names is a subscription of somebody else's
     * @throws KafkaException when the brokers refuse or do not answer
     */
    public List<Change> disabling(String name) throws InterruptedException {
        return disabling(all(), name);
    }

    static List<Change> disabling(List<Subscription> all, String name) {
        Map<String, Map<String, String>> there = there(all, name);
        return ClientKind.TRIED.stream()
                .map(kind -> name + kind.suffix())
                .filter(there::containsKey)
                .map(each -> new Change(each, there.get(each), null))
                .toList();
    }

    /** The kinds of clients that are asked, for people. */
    public static List<String> asked() {
        return ClientKind.TRIED.stream().map(ClientKind::who).toList();
    }

    /**
     * Changes subscriptions.
     *
     * @throws KafkaException when the brokers refuse or do not answer
     */
    public void apply(List<Change> changes) throws InterruptedException {
        Map<ConfigResource, Collection<AlterConfigOp>> all = new LinkedHashMap<>();
        for (Change change : changes) {
            Map<String, String> after = change.after() == null ? Map.of() : change.after();
            all.put(
                    new ConfigResource(Type.CLIENT_METRICS, change.name()),
                    Stream.of("metrics", "interval.ms", "match")
                            .map(key -> after.containsKey(key) ? set(key, after.get(key)) : delete(key))
                            .toList());
        }
        if (!all.isEmpty()) {
            get(admin.incrementalAlterConfigs(all).all());
        }
    }

    /** Makes the subscriptions, and says nothing of it. */
    public void enable(String name, Duration interval, List<String> match) throws InterruptedException {
        apply(enabling(name, interval, match));
    }

    /** Those of a name and its suffixes. */
    private static Map<String, Map<String, String>> there(List<Subscription> all, String name) {
        Set<String> names =
                ClientKind.TRIED.stream().map(kind -> name + kind.suffix()).collect(Collectors.toSet());
        List<Subscription> found =
                all.stream().filter(each -> names.contains(each.name())).toList();
        for (Subscription each : found) {
            if (!SubscriptionReview.isOfPhasewise(each)) {
                throw new UsageException(
                        "--name: '%s': the subscription %s is there, and Phasewise did not make it, or somebody has changed it since. Nothing was changed. Allowed: another --name; or ask who made it, and remove it first: kafka-client-metrics.sh --delete --name %s"
                                .formatted(name, each.name(), ShellWord.quoted(each.name())));
            }
        }
        return found.stream().collect(Collectors.toMap(Subscription::name, Subscription::settings));
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
