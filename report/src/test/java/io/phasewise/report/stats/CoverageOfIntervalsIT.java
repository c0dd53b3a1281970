/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The simulations that {@link PercentilesTest} has no time for; needs no server. */
@Tag("long")
class CoverageOfIntervalsIT {
    @Test
    void intervalsOfIndependentProbesHoldTheTruthInNinetyFiveOfAHundredCases() {
        CoverageOfIntervals.assertHolds(seed -> new Synthetic(seed, 0.003, 0.6, 0, 0, 0));
    }

    @Test
    void intervalsOfAlikeHoursHoldTheTruthAsOften() {
        CoverageOfIntervals.assertHolds(seed -> new Synthetic(seed, 0.003, 0.5, 0.2, 0, 0));
    }
}
