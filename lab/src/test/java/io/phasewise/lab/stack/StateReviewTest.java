/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StateReviewTest {

    private static StateReview review(RunningComponent... components) {
        return StateReview.of(new StackState(0, 0, false, List.of(components)));
    }

    @Test
    void aPidThatBelongsToAnotherProcessByNowIsNotOurs() {
        StateReview review = review(Samples.running("canary", Samples.reused()));

        assertThat(review.alive()).isEmpty();
        assertThat(review.gone()).hasSize(1);
    }

    @Test
    void whatRunsIsToldFromWhatEnded() {
        RunningComponent alive = Samples.running("broker-1", Samples.alive());
        RunningComponent gone = Samples.running("broker-2", Samples.gone());

        StateReview review = review(alive, gone);

        assertThat(review.alive()).containsExactly(alive);
        assertThat(review.gone()).containsExactly(gone);
        assertThat(review.remark())
                .hasValueSatisfying(
                        remark ->
                                assertThat(remark)
                                        .contains("broker-2 (pid " + gone.identity().pid() + ")")
                                        .doesNotContain("broker-1"));
    }

    @Test
    void aStateOfWhichNothingIsLeftIsSaidToBeCleaned() {
        assertThat(
                        review(
                                        Samples.running("broker-1", Samples.gone()),
                                        Samples.running("broker-2", Samples.reused()))
                                .remark())
                .hasValueSatisfying(
                        remark -> assertThat(remark).contains("none of its 2", "cleaned"));
    }

    @Test
    void thereIsNothingToRemarkWhenNothingEnded() {
        assertThat(review(Samples.running("canary", Samples.alive())).remark()).isEmpty();
        assertThat(review().remark()).isEmpty();
    }
}
