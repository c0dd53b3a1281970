/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiFunction;

/**
 * Gauges and counters of registries for Prometheus, named as Micrometer names them. Name and labels
 * are made once, when a meter comes, and a scrape reads values alone; Micrometer's own registry makes
 * them for every meter at every scrape, which was most of a scrape of many clusters
 * (docs/evidence/benchmarks.md).
 */
final class ScrapedMeters implements MultiCollector {
    private static final NamingConvention NAMES = new PrometheusNamingConvention();

    private final Map<String, Family> families = new ConcurrentHashMap<>();

    /**
     * Exports a registry's meters from now on, each until the registry removes it.
     *
     * @param registry has no meters yet; of Kafka's clients it gets gauges and function counters, and
     *     other kinds are left out
     */
    void follow(MeterRegistry registry) {
        registry.config().onMeterAdded(this::add).onMeterRemoved(this::remove);
    }

    /** A meter since when it is there, as counters say it. */
    private record Born(Meter meter, long epochMillis) {}

    /** All meters of one name, by their labels: in the order in which a snapshot has them, as it would sort them. */
    private record Family(MetricMetadata metadata, boolean counts, Map<Labels, Born> meters) {
        MetricSnapshot snapshot() {
            return counts
                    ? new CounterSnapshot(metadata, points(Family::counter))
                    : new GaugeSnapshot(metadata, points(Family::gauge));
        }

        private static CounterDataPointSnapshot counter(Labels labels, Born born) {
            double count = ((FunctionCounter) born.meter()).count();
            return new CounterDataPointSnapshot(count, labels, null, born.epochMillis());
        }

        private static GaugeDataPointSnapshot gauge(Labels labels, Born born) {
            return new GaugeDataPointSnapshot(((Gauge) born.meter()).value(), labels, null);
        }

        private <P> List<P> points(BiFunction<Labels, Born, P> point) {
            List<P> points = new ArrayList<>();
            meters.forEach((labels, born) -> points.add(point.apply(labels, born)));
            return points;
        }
    }

    private void add(Meter meter) {
        boolean counts = meter instanceof FunctionCounter;
        if (!counts && !(meter instanceof Gauge)) {
            return;
        }
        families.compute(name(meter), (name, known) -> {
            Family family = known == null ? family(name, counts, meter) : known;
            family.meters().put(labels(meter), new Born(meter, Clock.SYSTEM.wallTime()));
            return family;
        });
    }

    private static Family family(String name, boolean counts, Meter meter) {
        String help = Optional.ofNullable(meter.getId().getDescription()).orElse("");
        return new Family(new MetricMetadata(name, help), counts, new ConcurrentSkipListMap<>());
    }

    private void remove(Meter meter) {
        families.computeIfPresent(name(meter), (name, family) -> {
            // Not one that another client has put in its place.
            family.meters().computeIfPresent(labels(meter), (labels, born) -> born.meter() == meter ? null : born);
            return family.meters().isEmpty() ? null : family;
        });
    }

    /** A counter's without {@code _total}, which is written after it. */
    private static String name(Meter meter) {
        return meter.getId().getConventionName(NAMES).replaceFirst("_total$", "");
    }

    private static Labels labels(Meter meter) {
        Labels.Builder labels = Labels.builder();
        meter.getId().getConventionTags(NAMES).forEach(tag -> labels.label(tag.getKey(), tag.getValue()));
        return labels.build();
    }

    @Override
    public MetricSnapshots collect() {
        return new MetricSnapshots(
                families.values().stream().map(Family::snapshot).toList());
    }
}
