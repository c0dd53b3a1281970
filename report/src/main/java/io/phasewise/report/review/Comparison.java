/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.phasewise.report.stats.Difference;
import io.phasewise.report.stats.TwoSamples;
import java.util.List;

/**
 * How the latencies of the window differ from those of an earlier one.
 *
 * @param before the earlier window
 * @param beforeForm in which form its latencies were stored
 * @param matched which hours were matched
 * @param hours how many different ones both windows have
 * @param left share of the probes of both that have no counterpart
 * @param subjects the whole path first, then the phases
 */
public record Comparison(
        Window before,
        Form beforeForm,
        Matched matched,
        int hours,
        double left,
        List<Subject> subjects) {

    /** The percentiles that are compared. */
    public static final List<Double> LEVELS = List.of(0.5, 0.9, 0.99, 0.999);

    /** By what the windows are matched. */
    public enum Matched {
        HOUR_OF_WEEK,
        HOUR_OF_DAY,
        NOTHING
    }

    /**
     * The whole path or a phase.
     *
     * @param name end_to_end, or the phase
     * @param changes of the levels
     * @param whole of all latencies at once
     */
    public record Subject(String name, List<Change> changes, TwoSamples whole) {}

    /**
     * One percentile's change.
     *
     * @param difference with its 95 % interval
     * @param chance of one as large where nothing changed, all that are compared taken together; 0
     *     to 1, NaN where the difference is not known
     */
    public record Change(Difference difference, double chance) {

        /** Whether it is a change by its interval, and also when all are taken together. */
        @JsonProperty
        public boolean clear() {
            return difference.clear() && chance <= 1 - Review.CONFIDENCE;
        }
    }
}
