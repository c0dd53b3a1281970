/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import static io.phasewise.experiments.matrix.DeclaredRows.expectation;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PhaseGrowthTest {
    private static final Map<Phase, Double> PLAIN = means(1, 2, 2, 0, 1);

    private final Expectation publish =
            expectation("{leaders: [1], shares: {publish: 1}, besides: [fetch]}");
    private final Expectation top = expectation("{leaders: [1], top: [publish, fetch]}");
    private final Expectation unmoved = expectation("{leaders: [1], unmoved: true}");

    @Test
    void ninetyFivePercentOfTheAmountMustBeInItsPhase() {
        assertThat(grown(means(1, 98, 2, 0, 1)).against(publish, 100).faults()).isEmpty();
        assertThat(grown(means(1, 96, 2, 0, 1)).against(publish, 100).faults())
                .containsExactly(
                        "publish grew by 94.0 ms, 94 % of the 100.0 ms that the fault added");
    }

    @Test
    void theRestMayGoElsewhereAndNoMore() {
        assertThat(grown(means(1, 102, 7, 0, 60)).against(publish, 100).faults())
                .as("5 ms in commit; fetch may grow")
                .isEmpty();
        assertThat(grown(means(1, 102, 8, 0, 1)).against(publish, 100).faults())
                .containsExactly("commit grew by 6.0 ms, too");
    }

    @Test
    void sharesAreOfTheAmount() {
        Expectation both = expectation("{leaders: [1], shares: {publish: 0.5, commit: 0.5}}");

        assertThat(grown(means(1, 52, 52, 0, 1)).against(both, 100).faults()).isEmpty();
        assertThat(grown(means(1, 102, 2, 0, 1)).against(both, 100).faults())
                .containsExactly("commit grew by 0.0 ms, 0 % of the 50.0 ms that the fault added");
    }

    @Test
    void whatTheMachineMayHaveMadeIsNotJudged() {
        PhaseGrowth wandering = new PhaseGrowth(PLAIN, means(1, 99, 2, 0, 1), means(1, 6, 2, 0, 1));

        assertThat(wandering.added().get(Phase.PUBLISH)).isEqualTo(95);
        assertThat(wandering.against(publish, 99).faults()).isEmpty();
        assertThat(wandering.against(publish, 99).unknown())
                .containsExactly(
                        "publish grew by 95.0 ms, 96 % of the 99.0 ms that the fault added, known"
                                + " to 2.0 ms");
        assertThat(wandering.against(publish, 200).faults()).as("far too little").hasSize(1);
        PhaseGrowth busy = new PhaseGrowth(PLAIN, means(1, 30, 2, 0, 1), means(1, 62, 2, 0, 1));
        assertThat(busy.against(unmoved, Double.NaN).unknown())
                .containsExactly("phases moved by 2.0 ms, known to 30.0 ms");
    }

    @Test
    void elsewhereThePhaseThatGrewMostMustBeADeclaredOne() {
        assertThat(grown(means(1, 90, 60, 0, 1)).against(top, Double.NaN).faults()).isEmpty();
        assertThat(grown(means(1, 60, 90, 0, 1)).against(top, Double.NaN).faults())
                .containsExactly("commit grew most, by 88.0 ms; declared: [fetch, publish]");
    }

    @Test
    void whatDoublesAShortLatencyIsFeltAndWhatNoiseDoesIsNot() {
        assertThat(grown(means(1, 9, 2, 0, 1)).against(top, Double.NaN).faults()).isEmpty();
        assertThat(grown(means(1, 6, 2, 0, 1)).against(top, Double.NaN).faults())
                .containsExactly("probes took 4.0 ms longer: it was not felt");
        PhaseGrowth noise = new PhaseGrowth(PLAIN, means(1, 50, 2, 0, 1), means(1, 90, 2, 0, 1));
        assertThat(noise.against(top, Double.NaN).faults()).hasSize(1);
    }

    @Test
    void noProbeAtAllIsAFault() {
        double none = Double.NaN;
        PhaseGrowth unseen = grown(means(none, none, none, none, none));

        assertThat(unseen.against(publish, 100).faults()).isNotEmpty();
        assertThat(unseen.against(top, none).faults()).isNotEmpty();
        assertThat(unseen.against(unmoved, none).faults()).isNotEmpty();
    }

    @Test
    void whereNoPhaseMayGrowNoneMayShrinkEither() {
        assertThat(grown(means(1, 20, 4, 0, 1)).against(unmoved, Double.NaN).faults()).isEmpty();
        assertThat(grown(means(1, 30, 2, 0, 1)).against(unmoved, Double.NaN).faults())
                .containsExactly("phases moved by 28.0 ms");
    }

    private static PhaseGrowth grown(Map<Phase, Double> during) {
        return new PhaseGrowth(PLAIN, during, PLAIN);
    }

    private static Map<Phase, Double> means(double... values) {
        Map<Phase, Double> means = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            means.put(phase, values[phase.ordinal()]);
        }
        return means;
    }
}
