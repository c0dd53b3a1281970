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

    private final double[] whole = new double[Source.values().length];
    private final double[] parts = new double[Source.values().length];
    private final int[] partCount = new int[Source.values().length];
    private final List<CounterPoint> counters = new ArrayList<>();
    private String group = "";

    ClientReading() {
        Arrays.fill(whole, Double.NaN);
    }

    void group(String name) {
        group = name;
    }

    /** The consumer group; empty where there is none. */
    String group() {
        return group;
    }

    /**
     * Takes a value of now.
     *
     * @param source not a counter
     * @param ofTheWholeClient not of one of its brokers, topics or partitions
     * @param value not negative, finite
     */
    void gauge(Source source, boolean ofTheWholeClient, double value) {
        int at = source.ordinal();
        if (ofTheWholeClient) {
            whole[at] = value;
        } else {
            parts[at] =
                    source.form() == Source.Form.HIGHEST
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
        int at = source.ordinal();
        if (!Double.isNaN(whole[at]) || partCount[at] == 0) {
            return whole[at];
        }
        return source.form() == Source.Form.MEAN ? parts[at] / partCount[at] : parts[at];
    }

    /** Every counter once, as a whole or in parts. */
    List<CounterPoint> counters() {
        boolean[] asWhole = new boolean[Source.values().length];
        for (CounterPoint point : counters) {
            asWhole[point.source().ordinal()] |= point.isOfTheWholeClient();
        }
        return counters.stream()
                .filter(point -> point.isOfTheWholeClient() || !asWhole[point.source().ordinal()])
                .collect(Collectors.toList());
    }
}
