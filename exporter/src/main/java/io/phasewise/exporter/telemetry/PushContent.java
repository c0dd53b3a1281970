/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one push says of the metrics that matter here. A value of the client as a whole is used
 * instead of the values of its brokers, topics or partitions, which it includes. What counters mean
 * is left to {@link ClientInstance}.
 */
final class PushContent {

    private final Library library;
    private final Map<Source, List<Point>> points = new HashMap<>();

    /** The consumer group; empty where there is none. */
    String group = "";

    /** Nothing yet, of a client of that library. */
    PushContent(Library library) {
        this.library = library;
    }

    void add(Point point) {
        points.computeIfAbsent(point.source, any -> new ArrayList<>()).add(point);
    }

    /** As a whole or in parts; empty where the client did not push it. */
    List<Point> points(Source source) {
        List<Point> all = points.getOrDefault(source, List.of());
        List<Point> whole =
                all.stream().filter(point -> point.isOfTheWholeClient).collect(Collectors.toList());
        return whole.isEmpty() ? all : whole;
    }

    /** The value of now of what is no counter; NaN where the client did not push it. */
    double gauge(Source source) {
        DoubleSummaryStatistics values =
                points(source).stream().mapToDouble(point -> point.value).summaryStatistics();
        if (values.getCount() == 0) {
            return Double.NaN;
        }
        switch (source.form) {
            case MEAN:
                // A broker to which nothing was sent has 0 here.
                return points(source).stream()
                        .mapToDouble(point -> point.value)
                        .filter(value -> value > 0)
                        .average()
                        .orElse(0);
            case HIGHEST:
                return values.getMax();
            default:
                return values.getSum();
        }
    }

    /**
     * Whether nothing was measured: librdkafka then pushes 0 as the mean and as the highest, where
     * others push no number. Means nothing where the client says how many events there were.
     */
    boolean isZero(Source source) {
        String twin = source.twin();
        Source other = twin == null ? null : ClientMetrics.onTheWire(library, twin);
        return gauge(source) == 0 && (other == null || !(gauge(other) > 0));
    }
}
