/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import io.prometheus.jmx.JmxCollector;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * Reads the broker's beans by rules: the JMX exporter's own collector, told by name which beans
 * there are. It is given the names again when beans came or went, at most every few seconds, and
 * when it has shown what need not be left to it ({@link KnownSeries}).
 */
public final class BrokerBeans implements MultiCollector {

    /** A broker that starts registers thousands of beans; a scrape then need not see all. */
    private static final Duration BETWEEN_NAMINGS = Duration.ofSeconds(5);

    /** What the request timing has in nanoseconds and as true histograms. */
    private static final Map<String, Collection<String>> TIMED_BY_THE_AGENT =
            Map.of(
                    "kafka.network:type=RequestMetrics,name=*TimeMs,request=*",
                    List.of(
                            "50thPercentile",
                            "75thPercentile",
                            "95thPercentile",
                            "98thPercentile",
                            "99thPercentile",
                            "999thPercentile",
                            "Min",
                            "Max",
                            "StdDev"));

    private static final String PARTITION_COUNT = "kafka.server:type=ReplicaManager,name=";

    /**
     * Kafka counts each of these, and of the following, by walking all partitions of the broker
     * whenever it is read. Alerts wait for these two.
     */
    private static final Collection<String> URGENT_COUNTS =
            List.of("UnderReplicatedPartitions", "UnderMinIsrPartitionCount");

    /** Change, as the ones above do, when the cluster's metadata of a partition change. */
    private static final Collection<String> COUNTS_FROM_METADATA =
            List.of(
                    "AtMinIsrPartitionCount",
                    "LeaderCount",
                    "OfflineReplicaCount",
                    "ReassigningPartitions");

    /** Change with what producers do. */
    private static final Collection<String> COUNTS_OF_PRODUCERS =
            List.of("ProducerIdCount", "PartitionsWithLateTransactionsCount");

    /** How late a count can be that changes without a change of a partition's metadata. */
    private static final Duration REST = Duration.ofMinutes(1);

    private final RuleFile rules;
    private final RuleUse use;
    private final BeanIndex index;

    /** Null where all is left to the collector. */
    private KnownSeries known;

    private final Map<ObjectName, Collection<String>> dropped;
    private final LongSupplier nanoClock;
    private PrometheusRegistry collector;
    private long namedVersion;
    private long namedAt;

    /**
     * @param rules what to read and how to call it
     * @param percentiles whether to read the percentiles of Kafka's own request timings too, each
     *     of which copies and sorts a sample of a thousand values
     * @param partitionChanges grows with each change of a partition's metadata; 0 for as long as
     *     none was noticed, which may be for good
     * @param nanoClock monotonic nanoseconds
     * @throws JMException when the bean server cannot be followed
     * @throws IllegalArgumentException when the collector refuses the rules
     */
    public BrokerBeans(
            RuleFile rules,
            boolean percentiles,
            LongSupplier partitionChanges,
            LongSupplier nanoClock)
            throws JMException {
        this.rules = rules;
        this.use = rules.use();
        this.nanoClock = nanoClock;
        this.dropped = new HashMap<>();
        if (!percentiles) {
            for (Map.Entry<String, Collection<String>> entry : TIMED_BY_THE_AGENT.entrySet()) {
                dropped.put(new ObjectName(entry.getKey()), entry.getValue());
            }
        }
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        this.index = BeanIndex.follow(server, rules.included());
        this.known =
                rules.canBeNamed() && rules.takesAttributesOneByOne()
                        ? new KnownSeries(
                                server, costly(partitionChanges, nanoClock), REST, nanoClock)
                        : null;
        name();
    }

    /** The counts that rest; where changes go unnoticed, the urgent ones do not. */
    private static Map<ObjectName, LongSupplier> costly(
            LongSupplier partitionChanges, LongSupplier nanoClock)
            throws MalformedObjectNameException {
        LongSupplier changesOrEveryMoment =
                () -> {
                    long changes = partitionChanges.getAsLong();
                    return changes == 0 ? nanoClock.getAsLong() : changes;
                };
        Map<ObjectName, LongSupplier> costly = new HashMap<>();
        for (String name : URGENT_COUNTS) {
            costly.put(new ObjectName(PARTITION_COUNT + name), changesOrEveryMoment);
        }
        for (String name : COUNTS_FROM_METADATA) {
            costly.put(new ObjectName(PARTITION_COUNT + name), partitionChanges);
        }
        for (String name : COUNTS_OF_PRODUCERS) {
            costly.put(new ObjectName(PARTITION_COUNT + name), () -> 0);
        }
        return costly;
    }

    @Override
    public synchronized MetricSnapshots collect() {
        boolean stale =
                index.version() != namedVersion
                        && nanoClock.getAsLong() - namedAt >= BETWEEN_NAMINGS.toNanos();
        if (stale || known != null && known.hasGrown()) {
            name();
        }
        MetricSnapshots shown = collector.scrape();
        if (known == null) {
            return shown;
        }
        try {
            return known.complete(shown);
        } catch (IllegalArgumentException e) {
            known = null;
            name();
            return collector.scrape();
        }
    }

    private void name() {
        namedVersion = index.version();
        namedAt = nanoClock.getAsLong();
        try {
            // A registry of its own: the collector's own metrics are registered again each time.
            PrometheusRegistry registry = new PrometheusRegistry();
            new JmxCollector(
                            rules.canBeNamed()
                                    ? rules.named(index, use, dropped, known)
                                    : rules.text())
                    .register(registry);
            collector = registry;
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
