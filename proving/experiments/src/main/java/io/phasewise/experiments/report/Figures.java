/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import io.phasewise.experiments.statistics.Interval;
import java.util.Locale;

/** How figures are written: two decimals, fewer for great ones, "-" for what is not known. */
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

    /** A latency; one that falls among probes that did not come back has no number. */
    static String milliseconds(double value) {
        return Double.isInfinite(value) ? "lost" : number("%.2f", value);
    }

    /** Of any size: four decimals where it is small, none where it is great. */
    static String ofAnySize(double value) {
        double size = Math.abs(value);
        return number(size >= 100 ? "%.0f" : size >= 1 || size == 0 ? "%.2f" : "%.4f", value);
    }

    static String number(String format, double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "-";
    }
}
