/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What one push says of the metrics that matter here. A value of the client as a whole wins over
 * those of its brokers, topics or partitions, which it contains. What counters mean is left to
 * {@link ClientInstance}.
 */
final class ClientReading {

    private final double[] whole = new double[ClientMetrics.SOURCES.size()];
    private final double[] parts = new double[ClientMetrics.SOURCES.size()];
    private final int[] partCount = new int[ClientMetrics.SOURCES.size()];
    private final List<CounterPoint> counters = new ArrayList<>();

    /** The consumer group; empty where there is none. */
    String group = "";

    ClientReading() {
        Arrays.fill(whole, Double.NaN);
    }

    /**
     * Takes a value of now.
     *
     * @param source not a counter
     * @param ofTheWholeClient not of one of its brokers, topics or partitions
     * @param value not negative, finite
     */
    void gauge(Source source, boolean ofTheWholeClient, double value) {
        int at = source.index;
        if (ofTheWholeClient) {
            whole[at] = value;
        } else {
            parts[at] =
                    source.form == Source.Form.HIGHEST
                            ? Math.max(parts[at], value)
                            : parts[at] + value;
            partCount[at]++;
        }
    }

    void counter(CounterPoint point) {
        counters.add(point);
    }

    /** The value of now; NaN where the client did not push it. */
    double gauge(Source source) {
        int at = source.index;
        if (!Double.isNaN(whole[at]) || partCount[at] == 0) {
            return whole[at];
        }
        return source.form == Source.Form.MEAN ? parts[at] / partCount[at] : parts[at];
    }

    /** Every counter once, as a whole or in parts. */
    List<CounterPoint> counters() {
        boolean[] asWhole = new boolean[ClientMetrics.SOURCES.size()];
        for (CounterPoint point : counters) {
            asWhole[point.source.index] |= point.isOfTheWholeClient;
        }
        return counters.stream()
                .filter(point -> point.isOfTheWholeClient || !asWhole[point.source.index])
                .collect(Collectors.toList());
    }
}
