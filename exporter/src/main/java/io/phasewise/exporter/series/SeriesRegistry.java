/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.series;

import io.phasewise.common.series.DeclaredSeries;
import io.phasewise.common.series.SeriesTable;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.MetricWithFixedMetadata;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * Registers the exporter's own series by their names, as {@code series.csv} beside this class
 * declares them. A name that it does not declare is an error of the program.
 */
public final class SeriesRegistry {

    private static final SeriesTable DECLARED = new SeriesTable(SeriesRegistry.class);

    private final PrometheusRegistry registry;

    /** Takes the points of a series at a scrape. */
    public interface Points {

        /**
         * Adds one.
         *
         * @param labels values, in the order in which the table names them
         */
        void add(double value, String... labels);
    }

    /**
     * @param registry takes the series
     */
    public SeriesRegistry(PrometheusRegistry registry) {
        this.registry = registry;
    }

    /**
     * A counter.
     *
     * @param values of its label that are there from the start, at zero
     */
    public Counter counter(String name, String... values) {
        Counter counter = declared(Counter.builder(), name).withoutExemplars().register(registry);
        for (String value : values) {
            counter.initLabelValues(value);
        }
        return counter;
    }

    /** A gauge. */
    public Gauge gauge(String name) {
        return declared(Gauge.builder(), name).register(registry);
    }

    /**
     * A histogram, in both forms.
     *
     * @param classicSeconds bounds of the classic buckets
     */
    public Histogram histogram(String name, double[] classicSeconds) {
        return declared(Histogram.builder(), name)
                .classicUpperBounds(classicSeconds)
                .withoutExemplars()
                .register(registry);
    }

    /** A counter or gauge without labels that is read at every scrape. */
    public void read(String name, DoubleSupplier value) {
        read(name, points -> points.add(value.getAsDouble()));
    }

    /** A counter or gauge whose points are read at every scrape. */
    public void read(String name, Consumer<Points> source) {
        if (DECLARED.get(name).type().equals("counter")) {
            declared(CounterWithCallback.builder(), name)
                    .callback(callback -> source.accept(callback::call))
                    .register(registry);
        } else {
            declared(GaugeWithCallback.builder(), name)
                    .callback(callback -> source.accept(callback::call))
                    .register(registry);
        }
    }

    private static <B extends MetricWithFixedMetadata.Builder<B, ?>> B declared(B builder, String name) {
        DeclaredSeries series = DECLARED.get(name);
        return builder.name(plain(name))
                .help(series.help())
                .unit(unit(name))
                .labelNames(series.labels().toArray(new String[0]));
    }

    /** Of a series that something else collects. */
    public static MetricMetadata metadata(String name) {
        return new MetricMetadata(plain(name), DECLARED.get(name).help(), unit(name));
    }

    /** Of a gauge that something else collects: its whole name, whatever it ends in. */
    public static MetricMetadata gaugeMetadata(String name) {
        return new MetricMetadata(name, DECLARED.get(name).help());
    }

    /** Without the suffix that its type adds. */
    public static String plain(String name) {
        return name.replaceFirst("_(total|info)$", "");
    }

    /** The unit in which a name ends, before the suffix of its type; null where it says none. */
    public static Unit unit(String name) {
        String plain = plain(name);
        return plain.endsWith("_seconds") ? Unit.SECONDS : plain.endsWith("_bytes") ? Unit.BYTES : null;
    }
}
