/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import io.phasewise.common.phase.Phase;
import java.util.Locale;
import java.util.Map;

/**
 * How a treatment differs from the baseline.
 *
 * @param baseline name of the variant
 * @param treatment name of the variant
 * @param endToEnd difference of the latency from a probe's due time until the consumer has it
 * @param acknowledged difference of the latency from the due time until the producer's
 *     acknowledgement
 * @param phaseDifference difference of each phase's mean over probes that came back,
 *     milliseconds; they add up to that of the mean
 * @param canaryPaused share of probes whose latency was mostly a pause of the canary itself;
 *     the greater one of both sides
 */
public record Comparison(
        String baseline,
        String treatment,
        Difference endToEnd,
        Difference acknowledged,
        Map<Phase, Interval> phaseDifference,
        double canaryPaused) {

    /** With a greater share than this the canary is measured, and not Kafka. */
    public static final double MOST_CANARY_PAUSED = 0.05;

    /** The verdict on the end-to-end latency. */
    public String verdict() {
        return judged(endToEnd);
    }

    /** The verdict on the time until the acknowledgement. */
    public String producerVerdict() {
        return judged(acknowledged);
    }

    private String judged(Difference difference) {
        return canaryPaused > MOST_CANARY_PAUSED
                ? String.format(
                        Locale.ROOT,
                        "not judged: in %.0f %% of the probes most of the latency is a pause of the canary itself",
                        canaryPaused * 100)
                : difference.verdict();
    }
}
