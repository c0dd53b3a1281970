/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static final Map<Phase, Double> PLAIN = means(1, 2, 2, 0, 1);

    private final Row row =
            new Row(
                    "delay",
                    "100 ms to the leader",
                    scene -> () -> {},
                    Duration.ofSeconds(1),
                    Effect.MOVES_PHASES,
                    Set.of(1),
                    Map.of(Phase.PUBLISH, 100.0),
                    List.of(),
                    Set.of(),
                    Optional.empty(),
                    Row.Needs.NOTHING);

    @Test
    void whatWasInjectedInTheRightPhaseIsGood() {
        Verdict verdict = new Verdict(row, PLAIN, means(2, 101, 3, 0, 2), PLAIN);

        assertThat(verdict.faults()).isEmpty();
        assertThat(verdict.tooNoisy()).isEmpty();
        assertThat(verdict.added().get(Phase.PUBLISH)).isEqualTo(99);
    }

    @Test
    void aDelayThatShowsInAnotherPhaseIsAFault() {
        assertThat(new Verdict(row, PLAIN, means(1, 82, 22, 0, 1), PLAIN).faults())
                .containsExactly("only 80 % of what was added is in [publish]");
        assertThat(new Verdict(row, PLAIN, means(1, 91, 12, 0, 1), PLAIN).faults())
                .as("89 %")
                .isNotEmpty();
    }

    @Test
    void theWanderIsAllowedForAndNoMore() {
        Map<Phase, Double> later = means(1, 2, 12, 0, 1);

        assertThat(new Verdict(row, PLAIN, means(1, 90, 20, 0, 1), later).faults())
                .as("13 of 101 ms are in the wrong phase, 5 of them may be the machine's")
                .isEmpty();
        assertThat(new Verdict(row, PLAIN, means(1, 80, 24, 0, 1), later).faults())
                .as("17 of 95")
                .isNotEmpty();
        assertThat(new Verdict(row, PLAIN, PLAIN, later).wander()).isEqualTo(5);
    }

    @Test
    void asMuchAsWasInjectedMustBeFoundAndNotMuchMore() {
        assertThat(new Verdict(row, PLAIN, means(1, 4, 2, 0, 1), PLAIN).faults())
                .containsExactly("probes took 2 ms longer, injected were 100");
        assertThat(new Verdict(row, PLAIN, means(1, 81, 2, 0, 1), PLAIN).faults()).isNotEmpty();
        assertThat(new Verdict(row, PLAIN, means(1, 83, 2, 0, 1), PLAIN).faults()).isEmpty();
        assertThat(new Verdict(row, PLAIN, means(1, 126, 2, 0, 1), PLAIN).faults()).isEmpty();
        assertThat(new Verdict(row, PLAIN, means(1, 128, 2, 0, 1), PLAIN).faults()).isNotEmpty();
    }

    @Test
    void aFaultThatMadeProbesFasterIsNone() {
        Map<Phase, Double> slow = means(40, 40, 2, 0, 1);

        assertThat(new Verdict(row, slow, PLAIN, slow).faults())
                .contains("probes took 77 ms less while it lasted");
        assertThat(new Verdict(row, slow, PLAIN, slow).slower()).isFalse();
    }

    @Test
    void noProbeAtAllIsAFault() {
        double none = Double.NaN;

        assertThat(new Verdict(row, PLAIN, means(none, none, none, none, none), PLAIN).faults())
                .contains("probes took NaN ms longer, injected were 100");
    }

    @Test
    void nothingIsSaidOnAMachineThatIsTooBusy() {
        assertThat(new Verdict(row, PLAIN, PLAIN, means(10, 20, 10, 0, 10)).tooNoisy())
                .isEqualTo(
                        "run it again on a quieter machine, for without the fault a probe took 6 ms"
                                + " before and 50 ms after");
        assertThat(new Verdict(row, PLAIN, PLAIN, means(10, 12, 2, 0, 1)).tooNoisy()).isEmpty();
    }

    @Test
    void whatDoublesAShortLatencyIsFeltAndWhatNoiseDoesIsNot() {
        assertThat(new Verdict(row, PLAIN, means(1, 9, 2, 0, 1), PLAIN).slower()).isTrue();
        assertThat(new Verdict(row, PLAIN, means(1, 6, 2, 0, 1), PLAIN).slower()).isFalse();
        Map<Phase, Double> slow = means(1, 90, 2, 0, 1);
        assertThat(new Verdict(row, slow, means(1, 120, 2, 0, 1), slow).slower()).isTrue();
        assertThat(new Verdict(row, PLAIN, means(1, 50, 2, 0, 1), slow).slower()).isFalse();
        double none = Double.NaN;
        assertThat(new Verdict(row, PLAIN, means(none, none, none, none, none), PLAIN).slower())
                .isFalse();
    }

    private static Map<Phase, Double> means(double... values) {
        Map<Phase, Double> means = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            means.put(phase, values[phase.ordinal()]);
        }
        return means;
    }
}
