/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.series;

import io.phasewise.common.file.JarResource;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.MetricWithFixedMetadata;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;

/**
 * Registers the exporter's own series by their names, as {@code series.csv} beside this class
 * declares them. A name that it does not declare is an error of the program.
 */
public final class SeriesRegistry {

    /** Name, type, labels, help; by name. */
    private static final Map<String, String[]> DECLARED =
            JarResource.rows(SeriesRegistry.class, "series.csv", 4).stream()
                    .collect(Collectors.toUnmodifiableMap(row -> row[0], row -> row));

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
        if (row(name)[1].equals("counter")) {
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
        String[] labels = row(name)[2].isEmpty() ? new String[0] : row(name)[2].split(", ");
        return builder.name(plain(name)).help(row(name)[3]).unit(unit(name)).labelNames(labels);
    }

    /** Of a series that something else collects. */
    public static MetricMetadata metadata(String name) {
        return new MetricMetadata(plain(name), row(name)[3], unit(name));
    }

    /** Of a gauge that something else collects: its whole name, whatever it ends in. */
    public static MetricMetadata gaugeMetadata(String name) {
        return new MetricMetadata(name, row(name)[3]);
    }

    private static String[] row(String name) {
        String[] row = DECLARED.get(name);
        if (row == null) {
            throw new IllegalArgumentException("series.csv has no " + name);
        }
        return row;
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
