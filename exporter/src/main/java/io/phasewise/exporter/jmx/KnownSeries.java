/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Remembers which series the collector makes of an attribute, and reads it without the collector
 * from then on. What a series is called is never decided here.
 *
 * <p>A rule that is cached does not see the value, so what it makes of an attribute stays the same
 * for good. Such a rule is given one label more, {@value #SOURCE}, in which the collector writes
 * what the rule matched: that tells the attribute. What comes without it, or from what cannot be
 * found (parts of composite values), is shown as it is, and stays with the collector.
 *
 * <p>Beans that are costly to read rest between two readings, and what was read last is shown
 * meanwhile: for a time, or until something happens that may have changed them.
 *
 * <p>For one thread at a time.
 */
final class KnownSeries {

    private static final String SOURCE = "phasewise_source";

    /** Factor and text, which may hold blanks itself. */
    private static final char AFTER_FACTOR = ' ';

    private final MBeanServer server;
    private final Map<ObjectName, LongSupplier> resting;
    private final long restNanos;
    private final LongSupplier nanoClock;

    /** What was last read of the resting ones. */
    private final Map<ObjectName, Reading> readings = new HashMap<>();

    private final Map<ObjectName, Map<String, Series>> beans = new LinkedHashMap<>();

    /** By what rules are matched with: attributes of which nothing is known yet. */
    private final Map<String, Place> places = new HashMap<>();

    private boolean grown;

    /**
     * @param server has the beans
     * @param resting which of them rest: each while its number stays the same
     * @param rest for how long at most, once something was read of one
     * @param nanoClock monotonic nanoseconds
     */
    KnownSeries(
            MBeanServer server,
            Map<ObjectName, LongSupplier> resting,
            Duration rest,
            LongSupplier nanoClock) {
        this.server = server;
        this.resting = resting;
        this.restNanos = rest.toNanos();
        this.nanoClock = nanoClock;
    }

    private static final class Reading {
        final long at;
        final long version;
        final List<Attribute> values;

        Reading(long at, long version, List<Attribute> values) {
            this.at = at;
            this.version = version;
            this.values = values;
        }
    }

    private static final class Place {
        final ObjectName bean;
        final String attribute;

        Place(ObjectName bean, String attribute) {
            this.bean = bean;
            this.attribute = attribute;
        }
    }

    private static final class Series {
        final MetricMetadata metadata;
        final Class<?> type;
        final Labels labels;
        final double factor;

        Series(MetricMetadata metadata, Class<?> type, Labels labels, double factor) {
            this.metadata = metadata;
            this.type = type;
            this.labels = labels;
            this.factor = factor;
        }
    }

    /** Whether the collector has made a metric of one of the types that it has. */
    private static boolean isKnown(MetricSnapshot metric) {
        return metric instanceof CounterSnapshot
                || metric instanceof GaugeSnapshot
                || metric instanceof UnknownSnapshot;
    }

    private static double value(DataPointSnapshot point) {
        return point instanceof CounterDataPointSnapshot
                ? ((CounterDataPointSnapshot) point).getValue()
                : point instanceof GaugeDataPointSnapshot
                        ? ((GaugeDataPointSnapshot) point).getValue()
                        : ((UnknownDataPointSnapshot) point).getValue();
    }

    /** A metric of this scrape: its points, in the one list that its type has. */
    private static final class Family {
        final MetricMetadata metadata;
        final Class<?> type;
        final List<CounterDataPointSnapshot> counters = new ArrayList<>();
        final List<GaugeDataPointSnapshot> gauges = new ArrayList<>();
        final List<UnknownDataPointSnapshot> unknowns = new ArrayList<>();

        Family(MetricMetadata metadata, Class<?> type) {
            this.metadata = metadata;
            this.type = type;
        }

        void add(double value, Labels labels) {
            if (type == CounterSnapshot.class) {
                counters.add(new CounterDataPointSnapshot(value, labels, null, 0));
            } else if (type == GaugeSnapshot.class) {
                gauges.add(new GaugeDataPointSnapshot(value, labels, null));
            } else {
                unknowns.add(new UnknownDataPointSnapshot(value, labels, null));
            }
        }

        MetricSnapshot snapshot() {
            return type == CounterSnapshot.class
                    ? new CounterSnapshot(metadata, counters)
                    : type == GaugeSnapshot.class
                            ? new GaugeSnapshot(metadata, gauges)
                            : new UnknownSnapshot(metadata, unknowns);
        }
    }

    /** A rule as the collector is to have it: with the label, if what it makes can be known. */
    static Map<?, ?> marked(Map<?, ?> rule) {
        boolean fixed =
                Boolean.TRUE.equals(rule.get("cache"))
                        && !Boolean.TRUE.equals(rule.get("attrNameSnakeCase"))
                        && !rule.containsKey("value")
                        && rule.get("name") != null
                        && !"".equals(rule.get("name"));
        if (!fixed) {
            return rule;
        }
        Map<Object, Object> labels = new LinkedHashMap<>();
        if (rule.get("labels") instanceof Map) {
            labels.putAll((Map<?, ?>) rule.get("labels"));
        }
        Object factor = rule.get("valueFactor");
        labels.put(SOURCE, (factor == null ? "1" : String.valueOf(factor)) + AFTER_FACTOR + "$0");
        Map<Object, Object> marked = new LinkedHashMap<>(rule);
        marked.put("labels", labels);
        return marked;
    }

    /** Forgets all beans but these, and everything that was expected. */
    void keep(Collection<ObjectName> names) {
        beans.keySet().retainAll(names);
        readings.clear();
        places.clear();
        grown = false;
    }

    /** Whether the series of an attribute is known. */
    boolean has(ObjectName bean, String attribute) {
        Map<String, Series> attributes = beans.get(bean);
        return attributes != null && attributes.containsKey(attribute);
    }

    /** Expects the collector to show an attribute. */
    void expect(ObjectName bean, String attribute) {
        places.put(RuleUse.matchedByCached(bean, attribute), new Place(bean, attribute));
    }

    /** Whether something became known since {@link #keep}. */
    boolean hasGrown() {
        return grown;
    }

    /**
     * Learns from what the collector shows, and adds what is known.
     *
     * @throws IllegalArgumentException when attributes make one series, or one metric of several
     *     types: that is the collector's to sort out
     */
    MetricSnapshots complete(MetricSnapshots shown) {
        List<MetricSnapshot> all = new ArrayList<>();
        Map<String, Family> families = new LinkedHashMap<>();
        for (MetricSnapshot metric : shown) {
            if (isKnown(metric)) {
                sort(metric, metric.getClass(), families);
            } else {
                all.add(metric);
            }
        }
        for (Map.Entry<ObjectName, Map<String, Series>> bean : beans.entrySet()) {
            read(bean.getKey(), bean.getValue(), families);
        }
        families.values().forEach(family -> all.add(family.snapshot()));
        return new MetricSnapshots(all);
    }

    private void sort(MetricSnapshot metric, Class<?> type, Map<String, Family> families) {
        for (DataPointSnapshot point : metric.getDataPoints()) {
            String source = point.getLabels().get(SOURCE);
            Labels labels = source == null ? point.getLabels() : unmarked(point.getLabels());
            Place place =
                    source == null
                            ? null
                            : places.remove(source.substring(source.indexOf(AFTER_FACTOR) + 1));
            if (place == null) {
                family(families, metric.getMetadata(), type).add(value(point), labels);
            } else {
                double factor =
                        Double.parseDouble(source.substring(0, source.indexOf(AFTER_FACTOR)));
                beans.computeIfAbsent(place.bean, bean -> new LinkedHashMap<>())
                        .put(
                                place.attribute,
                                new Series(metric.getMetadata(), type, labels, factor));
                grown = true;
            }
        }
    }

    private static Labels unmarked(Labels labels) {
        Labels.Builder without = Labels.builder();
        for (Label label : labels) {
            if (!label.getName().equals(SOURCE)) {
                without.label(label.getName(), label.getValue());
            }
        }
        return without.build();
    }

    private void read(
            ObjectName bean, Map<String, Series> attributes, Map<String, Family> families) {
        List<Attribute> values;
        try {
            values = values(bean, attributes.keySet());
        } catch (JMException | RuntimeException e) {
            // It is gone, or does not answer: then the collector has nothing of it either.
            return;
        }
        for (Attribute attribute : values) {
            Series series = attributes.get(attribute.getName());
            Object value = attribute.getValue();
            if (series == null || value == null) {
                continue;
            }
            Family family = family(families, series.metadata, series.type);
            if (value instanceof Number) {
                family.add(((Number) value).doubleValue() * series.factor, series.labels);
            } else if (value instanceof Boolean) {
                family.add((Boolean) value ? 1 : 0, series.labels);
            } else if (value instanceof Date) {
                family.add(((Date) value).getTime() / 1e3 * series.factor, series.labels);
            }
        }
    }

    private List<Attribute> values(ObjectName bean, Set<String> attributes) throws JMException {
        LongSupplier version = resting.get(bean);
        return version == null
                ? valuesNow(bean, attributes)
                : valuesOfResting(bean, attributes, version.getAsLong());
    }

    private List<Attribute> valuesOfResting(
            ObjectName bean, Set<String> attributes, long versionBefore) throws JMException {
        long now = nanoClock.getAsLong();
        Reading last = readings.get(bean);
        if (last != null && last.version == versionBefore && now - last.at < restNanos) {
            return last.values;
        }
        List<Attribute> values = valuesNow(bean, attributes);
        readings.put(bean, new Reading(now, versionBefore, values));
        return values;
    }

    private List<Attribute> valuesNow(ObjectName bean, Set<String> attributes) throws JMException {
        return server.getAttributes(bean, attributes.toArray(new String[0])).asList();
    }

    private static Family family(
            Map<String, Family> families, MetricMetadata metadata, Class<?> type) {
        Family family =
                families.computeIfAbsent(metadata.getName(), name -> new Family(metadata, type));
        if (family.type != type) {
            throw new IllegalArgumentException(metadata.getName() + " is of two types");
        }
        return family;
    }
}
