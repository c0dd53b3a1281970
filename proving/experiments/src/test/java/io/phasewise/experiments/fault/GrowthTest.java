/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrowthTest {
    private static final Set<Phase> COMMIT = Set.of(Phase.COMMIT);

    /** In milliseconds. The one of 260.88 was published as evidence that publish is reported rightly. */
    @ParameterizedTest
    @CsvSource({
        "100.0,  97.97, 0.95,",
        "100.0,  94.90, 0.95, too little PUBLISH",
        "100.0, 125.00, 0.95,",
        " 75.1, 260.88, 0.95, too much PUBLISH",
        "400.0, 560.00, 0.70,",
        "400.0, 580.00, 0.70, too much PUBLISH",
        "100.0,    NaN, 0.95, too little PUBLISH;too much PUBLISH"
    })
    void isHeldFromBothSides(double expected, double found, double least, String wrong) {
        List<String> all = new Growth(expected, growth(found, 0), 0).wrong(Phase.PUBLISH, COMMIT, least);
        assertThat(String.join(";", all)).isEqualTo(wrong == null ? "" : wrong);
    }

    @Test
    void whatTheFaultCannotTouchStaysWhatItWas() {
        assertThat(new Growth(100, growth(100, 6), 0).wrong(Phase.PUBLISH, COMMIT, 0.95))
                .containsExactly("too much COMMIT");
        assertThat(new Growth(100, growth(100, 6), 0).wrong(Phase.PUBLISH, Set.of(), 0.95))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"32, 30, ", "32, 26, too much COMMIT", " 0, -6, too much COMMIT"})
    void aCommitIsRightWhereKafkaWaitedForItAsLong(double commit, double remote, String wrong) {
        List<String> all = new Growth(100, growth(100, commit), remote).wrong(Phase.PUBLISH, COMMIT, 0.95);
        assertThat(String.join(";", all)).isEqualTo(wrong == null ? "" : wrong);
    }

    private static Map<Phase, Double> growth(double publish, double commit) {
        Map<Phase, Double> seconds = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            seconds.put(phase, 0.0);
        }
        seconds.put(Phase.PUBLISH, publish);
        seconds.put(Phase.COMMIT, commit);
        return seconds;
    }
}
