/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.account.suspect.PathVote.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An end that was named decides a tie, for some seconds. */
class NamedEndsTest {
    private static final Path SLOW = new Path(1, 3, 0.1, 1, true);
    private static final Path SHORT = new Path(1, 2, 0.1, 1, false);

    private final NamedEnds ends = new NamedEnds();

    private List<Integer> names(long second, Path... slow) {
        return ends.names(second, List.of(slow), 3).stream()
                .map(PathVote.Named::end)
                .toList();
    }

    @Test
    void oneOfTwoPathsThatEndsEarlierChangesNoName() {
        assertThat(names(0, SLOW, SHORT)).containsExactly(1);
        for (int second = 1; second <= NamedEnds.TIES; second++) {
            assertThat(names(second, SLOW)).as("second %d", second).containsExactly(1);
        }
    }

    /** One hiccup of the path to 2 must not decide for hours whose the path between 1 and 3 is. */
    @Test
    void aPathThatEndedLongAgoDecidesNothing() {
        names(0, SLOW, SHORT);
        for (int second = 1; second <= NamedEnds.TIES; second++) {
            names(second, SLOW);
        }

        assertThat(names(NamedEnds.TIES + 1, SLOW)).containsExactly(3);
        assertThat(names(NamedEnds.TIES + 2, SLOW)).containsExactly(3);
    }

    @Test
    void aNameThatEndedDecidesNoTieOfALaterFault() {
        names(0, SLOW, SHORT);
        assertThat(names(1)).isEmpty();

        assertThat(names(2, SLOW)).containsExactly(3);
    }
}
