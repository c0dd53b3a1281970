/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.series;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FleetSizeTest {
    private final FleetSize twoOfThree = new FleetSize(2, 3, 2, 10);

    @Test
    void scrapedIsTheBudgetOfWhatThereIs() {
        assertThat(twoOfThree.series(false, false))
                .isEqualTo(
                        6L * of(SeriesKind.BROKER)
                                + 60L * of(SeriesKind.TOPIC)
                                + of(SeriesKind.CANARY)
                                + 4L * of(SeriesKind.PROFILE)
                                + 12L * of(SeriesKind.LEADER));
    }

    @Test
    void recordedIsTheBudgetOfTheRules() {
        assertThat(twoOfThree.series(true, false))
                .isEqualTo(
                        4L * of(SeriesKind.RECORDED_PROFILE)
                                + 12L * of(SeriesKind.RECORDED_LEADER)
                                + 6L * of(SeriesKind.RECORDED_BROKER));
    }

    @Test
    void fiftyOneClustersAreTwoCanaries() {
        long one = new FleetSize(50, 1, 1, 0).series(false, false);
        long more = new FleetSize(51, 1, 1, 0).series(false, false);

        assertThat(more - one)
                .isEqualTo(
                        of(SeriesKind.CANARY)
                                + of(SeriesKind.BROKER)
                                + of(SeriesKind.PROFILE)
                                + of(SeriesKind.LEADER));
    }

    private static int of(SeriesKind kind) {
        return kind.budget(false);
    }
}
