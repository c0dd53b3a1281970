/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

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
     * @param clear whether it is a change even when all that are compared are taken together
     *     (Bonferroni)
     */
    public record Change(Difference difference, boolean clear) {}
}
