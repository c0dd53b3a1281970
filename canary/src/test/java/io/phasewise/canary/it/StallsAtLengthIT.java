/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Pauses measured often, on a machine that does nothing else, and with profiles whose probes wait
 * behind each other: they go by the critical path, whether or not there are lanes enough.
 */
@Tag("long")
class StallsAtLengthIT extends Stalls {
    private static final String FEW_LANES = "few-lanes";
    private static final String PIPELINED = "pipelined";
    private static final String WINDOW = "window";

    StallsAtLengthIT() {
        super(
                Rigor.exact(12, Duration.ofMinutes(10)),
                20,
                """
                {few-lanes: {probe: {lanes: 8}},\
                 pipelined: {probe: {pipelined: true}},\
                 window: {probe: {pipelined: true, attribution: position},\
                 producer: {max.in.flight.requests.per.connection: 1}}}\
                """);
    }

    @Test
    void aStalledFollowerGoesToCommitThoughThereAreTooFewLanes() {
        // Fifteen probes, eight lanes: those that found none go out in a second round.
        stoppedFollower(FEW_LANES).isInjected(injectedByFollower(), 2 * usual(FEW_LANES, 1, 2), 0);
    }

    @Test
    void aStalledFollowerGoesToCommitOfProbesThatShareAConnection() {
        // Behind the first request four wait unread, and the rest, in one, for the window: these
        // are six rounds, one after the other.
        stoppedFollower(PIPELINED).isInjected(injectedByFollower(), 6 * usual(PIPELINED, 1, 2), 0);
    }

    @Test
    void stallsThatOverlapGoToTheirOwnPhasesThoughThereAreTooFewLanes() {
        // Twenty-one probes, eight lanes: those that found none go out in two more rounds, and so
        // much later does each phase begin for them.
        overlapping(FEW_LANES, "consume-it@" + FEW_LANES, 2 * usual(FEW_LANES, 1));
    }

    @Test
    void aFullInFlightWindowGoesByPositionToProduce() {
        // One request at a time: the first probe waits for the follower, the rest for the window,
        // and go out together: two rounds.
        stoppedFollower(WINDOW)
                .isInjected(
                        measured().stretches(FOLLOWER_STOPPED).stream()
                                .map(
                                        s ->
                                                StallModel.window(
                                                        stopped(),
                                                        s.fromNanos(),
                                                        s.toNanos(),
                                                        1_000_000_000L / PROBES_PER_SECOND))
                                .toList(),
                        2 * usual(WINDOW, 1, 2),
                        0);
    }
}
