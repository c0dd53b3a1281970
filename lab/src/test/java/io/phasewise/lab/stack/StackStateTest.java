/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StackStateTest {

    private static final StackPorts PORTS = new StackPorts(0, 0);

    private static StackState state(RunningComponent... components) {
        return new StackState(PORTS, false, List.of(components));
    }

    @Test
    void whatRunsIsToldFromWhatEndedAndFromAPidThatBelongsToAnotherProcessByNow() {
        RunningComponent alive = Samples.running("broker-1", Samples.alive());
        RunningComponent gone = Samples.running("broker-2", Samples.gone());
        RunningComponent reused = Samples.running("broker-3", Samples.reused());
        StackState state = state(alive, gone, reused);

        assertThat(state.alive()).containsExactly(alive);
        assertThat(state.remark(state.alive()))
                .hasValue("Ended without `down` since the last run: broker-2 (pid %d), broker-3 (pid %d)."
                        .formatted(gone.identity().pid(), reused.identity().pid()));
    }

    @Test
    void aStateOfWhichNothingIsLeftIsSaidToBeCleaned() {
        assertThat(state(Samples.running("canary", Samples.gone())).remark(List.of()))
                .hasValueSatisfying(text -> assertThat(text).contains("none of its 1", "cleaned"));
    }

    @Test
    void thereIsNothingToRemarkWhenNothingEnded() {
        StackState state = state(Samples.running("canary", Samples.alive()));

        assertThat(state.remark(state.alive())).isEmpty();
        assertThat(state().remark(List.of())).isEmpty();
    }

    @Test
    void aComponentTakesThePlaceOfTheOneOfItsNameInTheOrderInWhichTheyAreShown() {
        RunningComponent before = Samples.running("canary", Samples.gone());
        RunningComponent after = Samples.running("canary", Samples.alive());
        RunningComponent broker = Samples.running("broker-1", Samples.alive());

        assertThat(state(before).with(after).with(broker).components()).containsExactly(broker, after);
    }
}
