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
 * @param baseline its name
 * @param treatment its name
 * @param endToEnd from when a probe was due to when a consumer has it
 * @param acknowledged from when it was due to the producer's acknowledgement
 * @param phaseDifference of each phase's mean end to end, milliseconds, of the probes that came
 *     back; these add up to the mean's
 * @param own share of the probes whose latency was mostly a pause of the canary itself, of the side
 *     with more of them
 */
public record Comparison(
        String baseline,
        String treatment,
        Difference endToEnd,
        Difference acknowledged,
        Map<Phase, Interval> phaseDifference,
        double own) {

    /** With more such probes than this, what is measured is the canary and not Kafka. */
    public static final double MOST_OWN = 0.05;

    /** What may be said of the end-to-end latency. */
    public String verdict() {
        return judged(endToEnd);
    }

    /** What may be said of what the producer waits for. */
    public String producerVerdict() {
        return judged(acknowledged);
    }

    private String judged(Difference difference) {
        return own > MOST_OWN
                ? String.format(
                        Locale.ROOT,
                        "not judged: in %.0f %% of the probes most of the latency is a pause of the canary itself",
                        own * 100)
                : difference.verdict();
    }
}
