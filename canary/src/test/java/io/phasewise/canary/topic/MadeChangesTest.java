/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MadeChangesTest {
    private static final Change MOVE = new Change.Reassign(0, List.of(1, 2, 3));
    private static final Change OTHER = new Change.Reassign(1, List.of(2, 3, 1));
    private static final Change ELECTION = new Change.Elect(0);

    private long now;
    private final MadeChanges changes = new MadeChanges(() -> now);

    @Test
    void whatABrokerThatLagsDoesNotShowYetIsNotMadeAgain() {
        assertThat(changes.isSettling(MOVE)).isFalse();

        changes.made(MOVE);

        assertThat(changes.isSettling(MOVE)).isTrue();
        assertThat(changes.isSettling(OTHER)).isFalse();
        pass(MadeChanges.SETTLING);
        assertThat(changes.isSettling(MOVE)).isFalse();
        assertThat(changes.isUndone(MOVE)).as("it may be made again").isFalse();
    }

    @Test
    void aMoveThatTakesLongSettlesFromItsEndOn() {
        changes.made(MOVE);
        pass(MadeChanges.SETTLING.multipliedBy(3));
        changes.seenUnderWay(MOVE);
        pass(MadeChanges.SETTLING.minusSeconds(1));

        assertThat(changes.isSettling(MOVE)).isTrue();
        assertThat(changes.isUndone(MOVE)).as("it was made once").isFalse();
    }

    @Test
    void whatIsUndoneTwiceIsLeftAloneForAnHour() {
        changes.made(MOVE);
        pass(MadeChanges.SETTLING);
        changes.made(MOVE);
        pass(MadeChanges.SETTLING);

        assertThat(changes.isUndone(MOVE)).isTrue();
        assertThat(changes.isUndone(OTHER)).isFalse();
        pass(MadeChanges.GIVES_WAY);
        assertThat(changes.isUndone(MOVE)).isFalse();
    }

    @Test
    void anElectionIsAskedForAsOftenAsOneIsDue() {
        for (int i = 0; i < 3; i++) {
            changes.made(ELECTION);
            assertThat(changes.isSettling(ELECTION)).isFalse();
            assertThat(changes.isUndone(ELECTION)).isFalse();
        }
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }
}
