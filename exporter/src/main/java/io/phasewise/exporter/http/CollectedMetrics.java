/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The metrics that collectors returned, and why some may be missing. */
final class CollectedMetrics {

    private static final String BEANS_ERROR = "jmx_scrape_error";
    private static final String BEANS_FAILED = "reading beans by the rules failed (" + BEANS_ERROR + " is 1)";

    /** In the order of the collectors. */
    final List<MetricSnapshot> snapshots;

    /** Why something is missing; the last reason where there are several. */
    final Optional<String> failure;

    private CollectedMetrics(List<MetricSnapshot> snapshots, Optional<String> failure) {
        this.snapshots = snapshots;
        this.failure = failure;
    }

    /** Asks each collector. If one fails, the metrics of the others are still there. */
    static CollectedMetrics of(List<MultiCollector> collectors) {
        List<MetricSnapshot> snapshots = new ArrayList<>();
        Optional<String> failure = Optional.empty();
        for (MultiCollector collector : collectors) {
            try {
                for (MetricSnapshot each : collector.collect()) {
                    snapshots.add(each);
                    failure = isFailureOfBeans(each) ? Optional.of(BEANS_FAILED) : failure;
                }
            } catch (RuntimeException e) {
                failure = Optional.of(e.toString());
            }
        }
        return new CollectedMetrics(snapshots, failure);
    }

    /** The JMX exporter's collector throws nothing: what a rule or a bean throws ends its scrape. */
    private static boolean isFailureOfBeans(MetricSnapshot each) {
        return each.getMetadata().getPrometheusName().equals(BEANS_ERROR)
                && each instanceof GaugeSnapshot
                && ((GaugeSnapshot) each).getDataPoints().stream().anyMatch(point -> point.getValue() > 0);
    }

    static CollectedMetrics failed(String why) {
        return new CollectedMetrics(List.of(), Optional.of(why));
    }
}
