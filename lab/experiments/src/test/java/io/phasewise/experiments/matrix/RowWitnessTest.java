/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.experiments.measure.Scrape;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowWitnessTest {
    private static final Row.Witness WITNESS =
            new Row.Witness("a wait", 1, "wait", List.of("phase=\"queue\""), 50);

    @Test
    void theMeanIsOfWhatCameInBetweenAndOfTheLabelsAlone() {
        Scrape began = Scrape.of("wait_sum{phase=\"queue\"} 1.0\nwait_count{phase=\"queue\"} 10\n");
        Scrape since =
                Scrape.of(
                        "wait_sum{phase=\"queue\"} 3.0\nwait_count{phase=\"queue\"} 30\n"
                                + "wait_sum{phase=\"other\"} 90\nwait_count{phase=\"other\"} 1\n");

        assertThat(WITNESS.millis(began, since)).isCloseTo(100, within(1e-9));
    }

    @Test
    void aTimerOfKafkasHasAMeanInMillisecondsSinceItsStart() {
        Scrape began = Scrape.of("wait_mean{phase=\"queue\"} 10\nwait_count{phase=\"queue\"} 10\n");
        Scrape since = Scrape.of("wait_mean{phase=\"queue\"} 40\nwait_count{phase=\"queue\"} 20\n");

        assertThat(WITNESS.millis(began, since)).isCloseTo(70, within(1e-9));
    }

    @Test
    void whereNothingWasCountedThereIsNoMean() {
        Scrape same = Scrape.of("wait_sum{phase=\"queue\"} 1\nwait_count{phase=\"queue\"} 10\n");

        assertThat(WITNESS.millis(same, same)).isNaN();
    }
}
