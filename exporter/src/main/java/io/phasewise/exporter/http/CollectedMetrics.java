/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What collectors told. */
final class CollectedMetrics {

    /** In the order of the collectors. */
    final List<MetricSnapshot> snapshots;

    /** Why something is missing; the last reason where there are several. */
    final Optional<String> failure;

    private CollectedMetrics(List<MetricSnapshot> snapshots, Optional<String> failure) {
        this.snapshots = snapshots;
        this.failure = failure;
    }

    /** Asks each of them. One that fails takes no other with it. */
    static CollectedMetrics of(List<MultiCollector> collectors) {
        List<MetricSnapshot> snapshots = new ArrayList<>();
        Optional<String> failure = Optional.empty();
        for (MultiCollector collector : collectors) {
            try {
                collector.collect().forEach(snapshots::add);
            } catch (RuntimeException e) {
                failure = Optional.of(e.toString());
            }
        }
        return new CollectedMetrics(snapshots, failure);
    }

    static CollectedMetrics failed(String why) {
        return new CollectedMetrics(List.of(), Optional.of(why));
    }
}
