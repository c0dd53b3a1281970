/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.phasewise.report.query.Form;
import io.phasewise.report.query.Window;
import io.phasewise.report.stats.Difference;
import io.phasewise.report.stats.Estimate;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How the latencies of the window differ from those of an earlier one.
 *
 * @param before the earlier window
 * @param beforeForm in which form its latencies were stored
 * @param alike whether both windows have the same hours of the week
 * @param subjects the whole path first, then the phases
 */
public record Comparison(Window before, Form beforeForm, boolean alike, List<Subject> subjects) {

    /** The percentiles that are compared. */
    public static final List<Double> LEVELS = List.of(0.5, 0.9, 0.99, 0.999);

    /**
     * The whole path or a phase.
     *
     * @param name end_to_end, or the phase
     * @param changes of the levels
     */
    public record Subject(String name, List<Change> changes) {

        /** The name that a reader of the report sees. */
        public String title() {
            return name.replace("end_to_end", "end to end");
        }
    }

    /** A percentile of the whole path, or of a phase. */
    public record Found(String title, Difference difference) {}

    /**
     * How p99 of the whole path differs, or the highest percentile below it for which both windows
     * have probes enough; null where there is none.
     */
    public Difference whole() {
        int level = level();
        return level < 0 ? null : subjects.get(0).changes().get(level).difference();
    }

    /** The phases that changed clearly at the same percentile, to the same side. */
    public List<Found> phases() {
        return subjects.stream()
                .skip(1)
                .filter(each -> each.changes().get(level()).clear())
                .map(each -> new Found(each.title(), each.changes().get(level()).difference()))
                .filter(each -> each.difference().low() > 1 == whole().low() > 1)
                .toList();
    }

    /** The path and the phases of which any percentile changed clearly, the highest that did. */
    public List<Found> clear() {
        return subjects.stream()
                .flatMap(each -> each.changes().stream()
                        .filter(Change::clear)
                        .reduce((lower, higher) -> higher)
                        .map(one -> new Found(each.title(), one.difference()))
                        .stream())
                .toList();
    }

    private int level() {
        List<Change> changes = subjects.get(0).changes();
        return IntStream.rangeClosed(0, LEVELS.indexOf(0.99))
                .filter(level -> changes.get(level).difference().known())
                .max()
                .orElse(-1);
    }

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
            return difference.clear() && chance <= 1 - Estimate.CONFIDENCE;
        }
    }
}
