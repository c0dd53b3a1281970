/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts by the constants of an enumeration, whose names in lower case are the values of a label.
 * Safe for use by several threads, none of which waits.
 */
final class Counts<E extends Enum<E>> {

    private final Map<E, LongAdder> counts;

    Counts(Class<E> type) {
        counts = new EnumMap<>(type);
        for (E each : type.getEnumConstants()) {
            counts.put(each, new LongAdder());
        }
    }

    void add(E what) {
        counts.get(what).increment();
    }

    long of(E what) {
        return counts.get(what).sum();
    }

    /** Shows them as a counter. */
    void register(PrometheusRegistry registry, String name, String help, String label) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(label)
                .callback(
                        metric ->
                                counts.forEach(
                                        (what, count) -> metric.call(count.sum(), value(what))))
                .register(registry);
    }

    /** Value of the label. */
    static String value(Enum<?> what) {
        return what.name().toLowerCase(Locale.ROOT);
    }
}
