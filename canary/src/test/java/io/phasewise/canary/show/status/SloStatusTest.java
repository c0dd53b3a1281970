/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SloStatusTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, UNKNOWN",
        "0, 0, 100, 100, UNKNOWN",
        "1000, 0, 2000, 0, MET",
        "990, 10, 1980, 20, MET",
        "989, 11, 100000, 11, MISSED",
        "0, 5, 0, 5, MISSED",
        "1000, 0, 1900, 100, RECOVERING",
    })
    void theStateFollowsTheLastFiveMinutesAndThenTheHour(
            long good, long bad, long hourGood, long hourBad, SloStatus.State state) {
        assertThat(slo(good, bad, hourGood, hourBad).state()).isEqualTo(state);
    }

    @Test
    void theBurnRateIsTheBadShareOverTheAllowedShare() {
        SloStatus slo = slo(90, 10, 0, 0);

        assertThat(slo.burnRate(slo.recent())).isCloseTo(10, within(1e-9));
        assertThat(slo.burnRate(slo.hour())).isNaN();
    }

    private static SloStatus slo(long good, long bad, long hourGood, long hourBad) {
        return new SloStatus(
                0.05,
                0.99,
                new VerdictHistory.Verdicts(300, good, bad, 0),
                new VerdictHistory.Verdicts(3600, hourGood, hourBad, 0));
    }
}
