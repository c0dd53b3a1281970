/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import java.time.Duration;
import java.util.Optional;

/**
 * How many lanes a pool keeps.
 *
 * @param initial lanes opened at the start, 1 to {@code limit}
 * @param limit most lanes at any time, 1 to {@value #MOST}
 * @param margin free lanes wanted for each leader at all times, at least 1; see {@link #marginFor}
 * @param together most probes in one request, at least 1
 * @param pipeline how all probes share one lane; empty where each lane has one request under way
 */
public record LaneSettings(int initial, int limit, int margin, int together, Optional<Pipeline> pipeline) {

    static final int MOST = 1024;

    /**
     * How the Kafka producer that all probes share sends.
     *
     * @param window requests in flight to a broker at most
     * @param linger for how long the producer waits for more records
     */
    public record Pipeline(int window, Duration linger) {}

    /** Settings of lanes with one request under way each. */
    public LaneSettings(int initial, int limit, int margin, int together) {
        this(initial, limit, margin, together, Optional.empty());
    }

    /** One lane that all probes share; for the parameters see {@link Pipeline}. */
    public static LaneSettings pipelined(int window, Duration linger) {
        return new LaneSettings(1, 1, 1, Integer.MAX_VALUE, Optional.of(new Pipeline(window, linger)));
    }

    /**
     * Free lanes enough for the probes that come while a new lane is being opened: their mean plus
     * three standard deviations of a Poisson count, which at most 1 in 240 set-ups exceeds.
     *
     * @param ratePerLeader probes a second to one leader, at least 0
     * @param setUpNanos time to open and connect a lane, at least 0
     * @return at least 1
     */
    public static int marginFor(double ratePerLeader, long setUpNanos) {
        double mean = ratePerLeader * setUpNanos / 1e9;
        return (int) Math.min(MOST, Math.max(1, Math.ceil(mean + 3 * Math.sqrt(mean))));
    }
}
