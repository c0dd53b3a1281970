/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.ops.prediction.Prediction;
import io.phasewise.ops.prediction.Prediction.Parts;
import io.phasewise.ops.prometheus.Suspect;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GainTextTest {

    private static final Prediction SLOW_LEADER = new Prediction(
            1, 0.333, 0.0551, 0.1507, 0.0036, 0.0012, Optional.of(new Parts(0.033, 0.0003, 0.0182, 0.0008)));

    private static final Prediction SLOW_FOLLOWER = new Prediction(
            3, 0.333, 0.0547, 0.004, 0.08, 0.002, Optional.of(new Parts(0.0001, -0.025, -0.0004, 0.075)));

    @Test
    void ofASlowLeaderItSaysWhatIsGainedWhereAndWhatStays() {
        assertThat(GainText.of(SLOW_LEADER, Duration.ofMinutes(5)))
                .containsExactly(
                        "Mean end to end, last 300 s: 55.1 ms; broker 1 leads 33 % of the probes,"
                                + " which take 150.7 ms, the others' 3.6 ms",
                        "Predicted once it leads nothing: 51.5 ms less [95 %: 50.3 ms to 52.7 ms]",
                        "  of it 33.0 ms by request queues, 0.3 ms by waits for followers, 18.2 ms by all else",
                        "  broker 1 stays in sync: as a follower it goes on costing 0.8 ms a"
                                + " probe. Only repairing it, stopping it, or moving its replicas"
                                + " away ends that",
                        "Moving leadership off broker 1 helps");
    }

    @Test
    void ofASlowFollowerItSaysThatDemotingItIsNoRemedy() {
        assertThat(GainText.of(SLOW_FOLLOWER, Duration.ofMinutes(5)))
                .contains(
                        "Predicted once it leads nothing: 25.3 ms more [95 %: 23.3 ms to 27.3 ms]",
                        "  of it -0.1 ms by request queues, 25.0 ms by waits for followers, 0.4 ms by all else",
                        "Moving leadership off broker 3 makes probes slower. If broker 3 is slow, repair or restart it instead");
    }

    /** What was measured of a broker that was paused for half of each second, and stayed in sync. */
    @Test
    void whereTheIntervalHoldsZeroItSaysThatMovingLeadershipDoesNotHelp() {
        Prediction paused = new Prediction(
                2, 0.333, 0.125, 0.119, 0.128, 0.063, Optional.of(new Parts(0.0001, -0.0031, 0, 0.0875)));

        assertThat(GainText.of(paused, Duration.ofMinutes(5)))
                .contains(
                        "Predicted once it leads nothing: 3.0 ms more [95 %: -60.0 ms to 66.0 ms]",
                        "No difference shown, as the interval holds zero: moving leadership does not help here."
                                + " If broker 2 is slow, repair or restart it instead");
    }

    @Test
    void whereMoreStaysThanGoesItSaysSo() {
        Prediction both = new Prediction(
                2, 0.333, 0.108, 0.124, 0.1, 0.002, Optional.of(new Parts(0.0001, 0.0031, 0.005, 0.0875)));

        assertThat(GainText.of(both, Duration.ofMinutes(5)))
                .contains("It helps, but more stays than goes: leaders wait for broker 2 as a follower."
                        + " Repair or restart it, too");
    }

    @Test
    void aSuspectIsNamedInTheCanarysWords() {
        assertThat(GainText.of(new Suspect(3, "Broker 3, as a follower", 0.412)))
                .isEqualTo("Suspect: Broker 3, as a follower. A probe waits 412.0 ms longer than usual for it");
    }
}
