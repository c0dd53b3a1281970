/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A logarithmic axis of latencies: where a value lies, and which round values mark it.
 *
 * @param least the least value to show, positive
 * @param most the highest
 * @param begin where the least lies, in pixels
 * @param end where the highest lies
 */
record LogAxis(double least, double most, double begin, double end) {

    private static final double[] ROUND = {1, 2, 5};

    /**
     * An axis for the values that are to be shown; what is not positive or not finite is left out.
     * Values below {@link Estimate#LEAST_SECONDS} lie at its lower end.
     */
    static LogAxis of(Stream<Double> values, double begin, double end) {
        double[] shown = values.filter(value -> value > 0 && Double.isFinite(value))
                .mapToDouble(value -> Math.max(Estimate.LEAST_SECONDS, value))
                .sorted()
                .toArray();
        return shown.length == 0
                ? new LogAxis(0.001, 1, begin, end)
                : new LogAxis(shown[0] / 1.1, shown[shown.length - 1] * 1.1, begin, end);
    }

    double at(double value) {
        double share = Math.log(value / least) / Math.log(most / least);
        return begin + Math.max(0, Math.min(1, share)) * (end - begin);
    }

    /**
     * Round values within, ascending: 1, 2 and 5 of each power of ten; only powers where those
     * would be too many.
     */
    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        boolean wide = most / least > 200;
        for (int power = (int) Math.floor(Math.log10(least)); Math.pow(10, power) <= most; power++) {
            for (double round : ROUND) {
                double value = round * Math.pow(10, power);
                if (value >= least && value <= most && (round == 1 || !wide)) {
                    ticks.add(value);
                }
            }
        }
        return ticks;
    }
}
