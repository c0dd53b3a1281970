/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import io.phasewise.experiments.measure.Phase;
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
 * @param repeats how many there were
 * @param stalled share of the probes on whose way the canary itself stood still, of the side with
 *     more of them
 */
public record Comparison(
        String baseline,
        String treatment,
        Difference endToEnd,
        Difference acknowledged,
        Map<Phase, Interval> phaseDifference,
        int repeats,
        double stalled) {

    /** With more such probes than this, what is measured is the canary and not Kafka. */
    public static final double MOST_STALLED = 0.05;

    /** What may be said of the end-to-end latency. */
    public String verdict() {
        return judged(endToEnd);
    }

    /** What may be said of what the producer waits for. */
    public String producerVerdict() {
        return judged(acknowledged);
    }

    private String judged(Difference difference) {
        return stalled > MOST_STALLED
                ? String.format(
                        Locale.ROOT,
                        "not judged: the canary itself stood still for %.0f %% of the probes",
                        stalled * 100)
                : difference.verdict();
    }

    /** Whether a difference end to end is claimed. */
    public boolean differs() {
        return stalled <= MOST_STALLED && endToEnd.differs();
    }
}
