/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Reads the broker's beans by rules: the JMX exporter's own collector, told by name which beans
 * there are. It is told the names again when beans came or went, at most every few seconds.
 *
 * <p>Beans that are costly to read have collectors of their own, and rest between two readings:
 * what was read last is shown meanwhile, for a time, or until something happens that may have
 * changed them.
 *
 * <p>A rule that fails with a bean takes its own metrics only: the others are read without it, and
 * the scrape says that it is incomplete.
 */
public final class BrokerBeans implements MultiCollector {

    /** A broker that starts registers thousands of beans; a scrape then need not see all. */
    private static final Duration BETWEEN_NAMINGS = Duration.ofSeconds(5);

    /** How late a count can be that changes without a change of a partition's metadata. */
    private static final Duration REST = Duration.ofMinutes(1);

    /** What the request timing has in nanoseconds and as true histograms. */
    private static final String TIMED_BY_THE_AGENT = "kafka.network:type=RequestMetrics,name=*TimeMs,request=*";

    private static final List<String> PERCENTILES = List.of(
            "50thPercentile",
            "75thPercentile",
            "95thPercentile",
            "98thPercentile",
            "99thPercentile",
            "999thPercentile",
            "Min",
            "Max",
            "StdDev");

    private static final String REPLICA_MANAGER = "kafka.server:type=ReplicaManager,name=";

    /**
     * Kafka counts each of these, and of the following, by walking all partitions of the broker
     * whenever it is read. Alerts wait for these two.
     */
    private static final Set<String> URGENT_COUNTS =
            Set.of(REPLICA_MANAGER + "UnderReplicatedPartitions", REPLICA_MANAGER + "UnderMinIsrPartitionCount");

    /** Change when the metadata of a partition do, those of producers at any time. */
    private static final Set<String> OTHER_COUNTS = Set.of(
            REPLICA_MANAGER + "AtMinIsrPartitionCount",
            REPLICA_MANAGER + "LeaderCount",
            REPLICA_MANAGER + "OfflineReplicaCount",
            REPLICA_MANAGER + "ReassigningPartitions",
            REPLICA_MANAGER + "ProducerIdCount",
            REPLICA_MANAGER + "PartitionsWithLateTransactionsCount");

    /** The collector's own metrics, of which each collector has some. */
    private static final String OWN = "jmx_";

    private final RuleFile rules;
    private final Consumer<String> errorLog;
    private final Consumer<String> infoLog;
    private final BeanIndex index;
    private final Map<ObjectName, Collection<String>> dropped;
    private final LongSupplier nanoClock;
    private List<Part> parts;
    private long namedVersion;
    private long namedAt;

    /** Falls, so it is never a number of changes. */
    private long scrape;

    /** Beans with a collector of their own, which rest while a number stays the same. */
    private final class Part {
        private final Predicate<ObjectName> beans;
        private final LongSupplier version;
        private final LostRules lost;
        private Set<Integer> without = Set.of();

        /** Whether a pattern overflowed the stack: it must not even be matched any more. */
        private boolean overflows;

        private List<ObjectName> named;
        private RuleCollector collector;
        private MetricSnapshots last;
        private long lastVersion;
        private long readAt;

        Part(Predicate<ObjectName> beans, LongSupplier version) {
            this.beans = beans;
            this.version = version;
            this.lost = new LostRules(rules, nanoClock, errorLog, infoLog);
        }

        void name(Set<ObjectName> all) {
            List<ObjectName> now = all.stream().filter(beans).collect(Collectors.toList());
            if (now.equals(named)) {
                return;
            }
            named = now;
            renew();
        }

        private void renew() {
            last = null;
            without = lost.now();
            collector = collector(without);
        }

        private RuleCollector collector(Set<Integer> lostRules) {
            return new RuleCollector(
                    rules.canBeNamed()
                            ? rules.named(named, dropped, lostRules, !overflows)
                            : rules.text(lostRules, !overflows));
        }

        MetricSnapshots read() {
            lost.retry();
            if (!without.equals(lost.now())) {
                renew();
            }
            long versionBefore = version.getAsLong();
            long now = nanoClock.getAsLong();
            if (last == null || lastVersion != versionBefore || now - readAt >= REST.toNanos()) {
                last = readNow();
                lastVersion = versionBefore;
                readAt = now;
            }
            return last;
        }

        private MetricSnapshots readNow() {
            RuleCollector.Reading reading = collector.read();
            overflows |= reading.overflowed();
            if (reading.failure().isPresent()
                    && lost.search(others -> collector(others).readQuietly().failure())) {
                renew();
                reading = collector.read();
            }
            if (reading.failure().isEmpty()) {
                lost.succeeded();
            }
            return reading.metrics();
        }

        boolean isIncomplete() {
            return !lost.now().isEmpty();
        }
    }

    /**
     * @param rules what to read and how to call it
     * @param percentiles whether to read the percentiles of Kafka's own request timings too, each
     *     of which copies and sorts a sample of a thousand values
     * @param partitionChanges grows with each change of a partition's metadata; 0 for as long as
     *     none was noticed, which may be for good: the urgent counts do not rest then
     * @param nanoClock monotonic nanoseconds
     * @param errorLog takes a line for each rule that begins to fail
     * @param infoLog takes a line for each rule that no longer fails
     * @throws JMException when the bean server cannot be followed
     * @throws IllegalArgumentException when the collector refuses the rules
     */
    public BrokerBeans(
            RuleFile rules,
            boolean percentiles,
            LongSupplier partitionChanges,
            LongSupplier nanoClock,
            Consumer<String> errorLog,
            Consumer<String> infoLog)
            throws JMException {
        this.rules = rules;
        this.errorLog = errorLog;
        this.infoLog = infoLog;
        this.nanoClock = nanoClock;
        this.dropped = percentiles ? Map.of() : Map.of(new ObjectName(TIMED_BY_THE_AGENT), PERCENTILES);
        this.index = BeanIndex.follow(ManagementFactory.getPlatformMBeanServer(), rules.included());
        this.parts = List.of(
                new Part(bean -> !isIn(URGENT_COUNTS, bean) && !isIn(OTHER_COUNTS, bean), this::everyScrape),
                new Part(bean -> isIn(URGENT_COUNTS, bean), () -> {
                    long changes = partitionChanges.getAsLong();
                    return changes == 0 ? everyScrape() : changes;
                }),
                new Part(bean -> isIn(OTHER_COUNTS, bean), partitionChanges));
        if (!rules.canBeNamed()) {
            parts = together();
        }
        name();
    }

    private static boolean isIn(Set<String> names, ObjectName bean) {
        return names.contains(bean.toString());
    }

    private long everyScrape() {
        return --scrape;
    }

    private List<Part> together() {
        return List.of(new Part(bean -> true, this::everyScrape));
    }

    @Override
    public synchronized MetricSnapshots collect() {
        if (index.version() != namedVersion && nanoClock.getAsLong() - namedAt >= BETWEEN_NAMINGS.toNanos()) {
            name();
        }
        Map<String, MetricSnapshot> all = new LinkedHashMap<>();
        for (Part part : parts) {
            for (MetricSnapshot metric : part.read()) {
                String name = metric.getMetadata().getPrometheusName();
                if (name.equals(RuleFile.LOST)) {
                    continue;
                }
                if (RuleCollector.isError(metric)) {
                    all.put(name, metric); // of any part
                }
                if (all.putIfAbsent(name, metric) != null && !name.startsWith(OWN)) {
                    // The rules make one metric of beans of several parts.
                    parts = together();
                    name();
                    return collect();
                }
            }
        }
        if (parts.stream().anyMatch(Part::isIncomplete)) {
            all.computeIfPresent(RuleCollector.ERROR, (name, error) -> error(error.getMetadata()));
        }
        return new MetricSnapshots(all.values());
    }

    private static MetricSnapshot error(MetricMetadata metadata) {
        return new GaugeSnapshot(metadata, List.of(new GaugeSnapshot.GaugeDataPointSnapshot(1, Labels.EMPTY, null)));
    }

    private void name() {
        namedVersion = index.version();
        namedAt = nanoClock.getAsLong();
        Set<ObjectName> all = rules.beans(index);
        parts.forEach(part -> part.name(all));
    }
}
