/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import io.phasewise.experiments.statistics.Interval;
import java.util.Locale;

/** Writes figures: "-" stands for what is not known. */
final class Figures {
    private Figures() {}

    /** "3.00 [2.00, 4.00]". */
    static String interval(Interval interval) {
        return Double.isNaN(interval.estimate())
                ? "-"
                : String.format(
                        "%s [%s, %s]",
                        milliseconds(interval.estimate()), milliseconds(interval.low()), milliseconds(interval.high()));
    }

    /**
     * A latency with two decimals; "lost" where it is infinite, as it falls among probes that did
     * not come back.
     */
    static String milliseconds(double value) {
        return Double.isInfinite(value) ? "lost" : number("%.2f", value);
    }

    /** A figure of any size: four decimals below 1, none from 100 on, else two. */
    static String ofAnySize(double value) {
        double size = Math.abs(value);
        return number(size >= 100 ? "%.0f" : size >= 1 || size == 0 ? "%.2f" : "%.4f", value);
    }

    static String number(String format, double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "-";
    }
}
