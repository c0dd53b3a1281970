/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.judgement;

import static io.phasewise.experiments.matrix.row.DeclaredRows.expectation;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.matrix.row.Expectation;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhaseGrowthTest {
    private static final Map<Phase, Double> PLAIN = means(1, 2, 2, 0, 1);

    private final Expectation publish = expectation("{leaders: [1], shares: {publish: 1}, besides: [fetch]}");
    private final Expectation both = expectation("{leaders: [1], shares: {publish: 0.5, commit: 0.5}}");
    private final Expectation top = expectation("{leaders: [1], top: [publish, fetch]}");
    private final Expectation unmoved = expectation("{leaders: [1], unmoved: true}");

    /** Means while the fault lasts, in the order of the phases; before and after: 1 2 2 0 1. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    95 % of the amount must be in its phase | publish | 1  98  2 0  1 | 100 |
                    less is too little                      | publish | 1  96  2 0  1 | 100 | publish grew by 94.0 ms, 94 % of the 100.0 ms that the fault added
                    a quarter more may be reported          | publish | 1 126  2 0  1 | 100 |
                    not more than happened, threefold       | publish | 1 302  2 0  1 | 100 | publish grew by 300.0 ms, 300 % of the 100.0 ms that the fault added
                    the rest may go elsewhere, fetch grow   | publish | 1 102  7 0 60 | 100 |
                    more than the rest may not              | publish | 1 102  8 0  1 | 100 | commit grew by 6.0 ms, too
                    shares are of the amount                | both    | 1  52 52 0  1 | 100 |
                    each has its own                        | both    | 1  52  2 0  1 | 100 | commit grew by 0.0 ms, 0 % of the 50.0 ms that the fault added
                    a declared phase must grow most         | top     | 1  90 60 0  1 | NaN |
                    not another one                         | top     | 1  60 90 0  1 | NaN | commit grew most, by 88.0 ms; declared: [fetch, publish]
                    what doubles a short latency is felt    | top     | 1   9  2 0  1 | NaN |
                    what noise does is not                  | top     | 1   6  2 0  1 | NaN | probes took 4.0 ms longer: too little to show an effect
                    none may grow, but for noise            | unmoved | 1  20  4 0  1 | NaN |
                    no more than that                       | unmoved | 1  30  2 0  1 | NaN | phases moved by 28.0 ms
                    """)
    void growthIsHeldAgainstWhatIsDeclared(String what, String declared, String means, double amount, String fault) {
        Map<String, Expectation> rows = Map.of("publish", publish, "both", both, "top", top, "unmoved", unmoved);
        double[] during =
                Stream.of(means.split(" +")).mapToDouble(Double::parseDouble).toArray();

        assertThat(grown(means(during)).against(rows.get(declared), amount).faults())
                .as(what)
                .isEqualTo(fault == null ? List.of() : List.of(fault));
    }

    @Test
    void whatTheMachineMayHaveMadeIsNotJudged() {
        PhaseGrowth wandering = new PhaseGrowth(PLAIN, means(1, 99, 2, 0, 1), means(1, 6, 2, 0, 1));

        assertThat(wandering.added().get(Phase.PUBLISH)).isEqualTo(95);
        assertThat(wandering.against(publish, 99).faults()).isEmpty();
        assertThat(wandering.against(publish, 99).unknown())
                .containsExactly("publish grew by 95.0 ms, 96 % of the 99.0 ms that the fault added, known to 2.0 ms");
        assertThat(wandering.against(publish, 200).faults())
                .as("far too little")
                .hasSize(1);
        PhaseGrowth busy = new PhaseGrowth(PLAIN, means(1, 30, 2, 0, 1), means(1, 62, 2, 0, 1));
        assertThat(busy.against(unmoved, Double.NaN).unknown())
                .containsExactly("phases moved by 2.0 ms, known to 30.0 ms");
    }

    @Test
    void whatIsLessThanTheMachineWandersIsNotFelt() {
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
