/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

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

    /**
     * An expression that gives, at the end of a block, what a recorded rate of five minutes amounts
     * to in it: the rates at every fifth minute, which follow each other without gap or overlap. To
     * read every recorded one would be five times the work and tell the same.
     *
     * @param selector of the rate
     * @param seconds length of the block, a multiple of 300
     */
    static String added(String selector, long seconds) {
        // A second less: Prometheus 2 would count the rate at the block's begin as well.
        return "300 * sum_over_time(" + selector + "[" + (seconds - 1) + "s:5m])";
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

    /** The series of the mirror, by leader; of mirrored profiles only. */
    String mirror() {
        return phases.replace("phase", "mirror");
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
        String inner =
                recorded ? added(selector, seconds) : "increase(" + selector + "[" + range + "])";
        return labels.isEmpty() ? "sum(" + inner + ")" : "sum by (" + labels + ") (" + inner + ")";
    }
}
