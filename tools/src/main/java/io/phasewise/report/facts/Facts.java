/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.facts;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a reader must know before believing the numbers.
 *
 * @param blocks how many the window has
 * @param starvedBlocks blocks in which the canary's own stalls made most of the bad probes;
 *     they are left out of the percentiles
 * @param starvedThroughout whether that is so in all blocks that have probes: then none is left
 *     out, and no percentile has an interval
 * @param starvedUnknown blocks for which the canary does not tell; they count
 * @param gaps times without probes, or with less than half as many as usual
 * @param settings of the canary, and when each was first and last seen
 * @param brokerSettings of the brokers, likewise, as they were started
 * @param changes of the canary's and the brokers' settings within the window, oldest first, as
 *     {@code linger_ms 0 -> 5}; seen when the first and when the last had it, to a block
 * @param versions of Kafka, likewise
 * @param clockUncertainty median over time of the worst broker's, and the worst seen, in
 *     seconds; NaN where unknown
 */
public record Facts(
        int blocks,
        int starvedBlocks,
        boolean starvedThroughout,
        int starvedUnknown,
        List<Gap> gaps,
        List<ObservedValue> settings,
        List<ObservedValue> brokerSettings,
        List<ObservedValue> changes,
        List<ObservedValue> versions,
        List<Double> clockUncertainty,
        double oneWayDelay) {

    /** How long too few probes came in all. */
    public Duration gapTime() {
        return gaps.stream().map(gap -> Duration.between(gap.from(), gap.to())).reduce(Duration.ZERO, Duration::plus);
    }

    /** A time with too few probes. */
    public record Gap(Instant from, Instant to, double share) {}

    /**
     * Something that was true for some time.
     *
     * @param most how many brokers at most; 0 for a change of the canary's
     */
    public record ObservedValue(String what, Instant first, Instant last, double most) {

        /** The same over both times. */
        ObservedValue and(ObservedValue other, double together) {
            return new ObservedValue(
                    what,
                    first.isBefore(other.first) ? first : other.first,
                    last.isAfter(other.last) ? last : other.last,
                    together);
        }
    }
}
