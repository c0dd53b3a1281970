/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import java.util.Locale;

/** In which form the latencies are stored. */
public enum Form {
    /** As scraped, native histograms. */
    RAW_NATIVE(
            true,
            false,
            "kafka_canary_end_to_end_latency_seconds",
            "kafka_canary_phase_latency_seconds"),
    /** As scraped, classic histograms. */
    RAW_CLASSIC(
            false,
            false,
            "kafka_canary_end_to_end_latency_seconds_bucket",
            "kafka_canary_phase_latency_seconds_bucket"),
    /** As the rules record their rates, native. */
    RECORDED_NATIVE(
            true,
            true,
            "kafka_canary:end_to_end_latency_seconds_by_leader:rate5m",
            "kafka_canary:phase_latency_seconds_by_leader:rate5m"),
    /** As the rules record their rates, classic. */
    RECORDED_CLASSIC(
            false,
            true,
            "kafka_canary:end_to_end_latency_seconds_by_leader:rate5m",
            "kafka_canary:phase_latency_seconds_by_leader:rate5m");

    private final boolean nativeForm;
    private final boolean recorded;
    private final String endToEnd;
    private final String phases;

    Form(boolean nativeForm, boolean recorded, String endToEnd, String phases) {
        this.nativeForm = nativeForm;
        this.recorded = recorded;
        this.endToEnd = endToEnd;
        this.phases = phases;
    }

    /** Whether buckets are about one per cent wide. */
    public boolean isNative() {
        return nativeForm;
    }

    /** Whether the rules' rates of five minutes are read in place of what was scraped. */
    public boolean recorded() {
        return recorded;
    }

    /** The series of the whole path, by leader. */
    String endToEnd() {
        return endToEnd;
    }

    /** The series of the phases, by leader. */
    String phases() {
        return phases;
    }

    /**
     * An expression that gives, at the end of a block, how many probes fell into each bucket within
     * it.
     *
     * @param series one of this form's
     * @param matchers label matchers, without braces
     * @param by the label to keep, may be empty
     * @param range PromQL duration of a block
     * @param seconds the same in seconds
     */
    String counted(String series, String matchers, String by, String range, long seconds) {
        String name =
                recorded && !by.contains("leader")
                        ? series.replace("_by_leader:", "_by_cluster:")
                        : series;
        String labels = nativeForm ? by : by.isEmpty() ? "le" : by + ", le";
        String selector = name + "{" + matchers + "}";
        String inner;
        if (recorded) {
            // The mean rate where there was one, times the time for which there was one.
            inner =
                    String.format(
                            Locale.ROOT,
                            "avg_over_time(%1$s[%2$s]) * clamp_max(300 *"
                                    + " count_over_time(%1$s[%2$s:5m]), %3$d)",
                            selector,
                            range,
                            seconds);
        } else {
            inner = "increase(" + selector + "[" + range + "])";
        }
        return labels.isEmpty() ? "sum(" + inner + ")" : "sum by (" + labels + ") (" + inner + ")";
    }
}
