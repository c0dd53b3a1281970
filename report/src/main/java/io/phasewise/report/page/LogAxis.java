/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import java.util.ArrayList;
import java.util.List;

/** A logarithmic axis of latencies: where a value lies, and which round values mark it. */
final class LogAxis {

    private static final double[] ROUND = {1, 2, 5};

    private final double least;
    private final double most;
    private final double begin;
    private final double end;

    /**
     * @param least the least value to show, positive
     * @param most the highest
     * @param begin where the least lies, in pixels
     * @param end where the highest lies
     */
    LogAxis(double least, double most, double begin, double end) {
        this.least = least / 1.1;
        this.most = most * 1.1;
        this.begin = begin;
        this.end = end;
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
        for (int power = (int) Math.floor(Math.log10(least));
                Math.pow(10, power) <= most;
                power++) {
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
