/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import java.util.Arrays;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;

/**
 * The values of a few seconds: a list while there are few of them, as a histogram would take ten
 * times the memory, and a histogram when there are many. Not thread-safe.
 */
final class RecentValues {
    /** Values are right to one per cent. */
    static final int SIGNIFICANT_DIGITS = 2;

    /** A histogram of values up to some seconds takes as much memory as so many values. */
    private static final int FEW = 2_048;

    private static final int LEAST_ROOM = 32;

    /** Up to this, 16 ms, a value stands for itself; beyond, codes are steps of 0.03 per cent. */
    private static final int EXACT = 1 << 14;

    private static final double CODES_PER_E_FOLD = 3_500;
    private static final int LAST_CODE = 0xffff;

    /** Codes of the values. */
    private char[] few = {};

    private int count;

    /** Null while there are few. */
    private AbstractHistogram many;

    /**
     * Adds a value.
     *
     * @param micros not negative
     */
    void add(long micros) {
        if (many == null && count == FEW) {
            many = new IntCountsHistogram(SIGNIFICANT_DIGITS);
            for (char code : few) {
                many.recordValue(micros(code));
            }
            few = new char[0];
        }
        if (many != null) {
            many.recordValue(micros);
            return;
        }
        if (count == few.length) {
            few = Arrays.copyOf(few, Math.max(LEAST_ROOM, 2 * count));
        }
        few[count++] = code(micros);
    }

    private static char code(long micros) {
        if (micros <= EXACT) {
            return (char) micros;
        }
        long steps = Math.round(CODES_PER_E_FOLD * Math.log((double) micros / EXACT));
        return (char) Math.min(LAST_CODE, EXACT + steps);
    }

    private static long micros(char code) {
        return code <= EXACT ? code : Math.round(EXACT * Math.exp((code - EXACT) / CODES_PER_E_FOLD));
    }

    void clear() {
        count = 0;
        many = null;
    }

    void addTo(Histogram sum) {
        if (many != null) {
            sum.add(many);
            return;
        }
        for (int i = 0; i < count; i++) {
            sum.recordValue(micros(few[i]));
        }
    }
}
