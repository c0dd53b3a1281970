/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.series;

import io.phasewise.common.series.DeclaredSeries;
import io.phasewise.common.series.SeriesTable;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.MetricWithFixedMetadata;
import io.prometheus.metrics.core.metrics.StatefulMetric;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * The canary's own series by their names, registered when they are first asked for; what is counted
 * in them is left to the packages that count. A name that {@code series.csv} does not declare is an
 * error of the program.
 */
public final class SeriesRegistry {
    private final PrometheusRegistry registry;
    private final Labels everywhere;
    private final double[] bounds;
    private final SeriesTable declared = new SeriesTable(SeriesRegistry.class);
    private final Map<String, StatefulMetric<?, ?>> registered = new ConcurrentHashMap<>();

    /**
     * @param registry where the series go
     * @param everywhere labels that all series carry, beside their own
     * @param sloTargetSeconds the clusters' SLO targets; each becomes a classic bucket boundary
     */
    public SeriesRegistry(PrometheusRegistry registry, Labels everywhere, Collection<Double> sloTargetSeconds) {
        this.registry = registry;
        this.everywhere = everywhere;
        this.bounds = Buckets.classic(sloTargetSeconds);
    }

    /** A histogram, in both forms unless it is declared as a native one. */
    public Histogram histogram(String name) {
        return (Histogram) registered.computeIfAbsent(name, this::newHistogram);
    }

    private Histogram newHistogram(String name) {
        Histogram.Builder builder = labelled(Histogram.builder(), name)
                .nativeInitialSchema(Buckets.NATIVE_SCHEMA)
                .nativeMaxNumberOfBuckets(Buckets.NATIVE_LIMIT);
        if (declared.get(name).type().startsWith("native")) {
            builder.nativeOnly();
        } else {
            builder.classicUpperBounds(bounds)
                    .nativeMinZeroThreshold(Buckets.NATIVE_ZERO_SECONDS)
                    .nativeMaxZeroThreshold(Buckets.NATIVE_ZERO_SECONDS);
        }
        return builder.register(registry);
    }

    /** A counter. */
    public Counter counter(String name) {
        return (Counter) registered.computeIfAbsent(
                name,
                each -> labelled(Counter.builder(), each).withoutExemplars().register(registry));
    }

    /** A gauge. */
    public Gauge gauge(String name) {
        return (Gauge) registered.computeIfAbsent(
                name, each -> labelled(Gauge.builder(), each).register(registry));
    }

    /**
     * Registers a counter or gauge without labels that is read at every scrape.
     *
     * @param value read at each scrape; that of a counter never decreases
     */
    public void read(String name, DoubleSupplier value) {
        collect(points -> points.add(name, points.labels(), value.getAsDouble()));
    }

    /**
     * Registers counters and gauges that are all read together at every scrape.
     *
     * @param source gives their points
     */
    public void collect(Consumer<ScrapedPoints> source) {
        MultiCollector collector = () -> {
            ScrapedPoints points = new ScrapedPoints(declared, everywhere);
            source.accept(points);
            return points.snapshots();
        };
        registry.register(collector);
    }

    /** Ends the series of a leader. Should it come back they begin at zero, as after a restart. */
    public void forget(String cluster, String profile, int leader) {
        List<String> labels = List.of(cluster, profile, String.valueOf(leader));
        registered.forEach((name, series) -> {
            if (declared.get(name).labels().contains("leader")) {
                series.removeIf(values -> values.subList(0, labels.size()).equals(labels));
            }
        });
    }

    private <B extends MetricWithFixedMetadata.Builder<B, ?>> B labelled(B builder, String name) {
        DeclaredSeries series = declared.get(name);
        return builder.constLabels(everywhere)
                .name(name)
                .help(series.help())
                .labelNames(series.labels().toArray(String[]::new));
    }
}
