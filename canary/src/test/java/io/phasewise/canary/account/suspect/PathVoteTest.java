/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import static io.phasewise.canary.account.suspect.PathVote.CANARY;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.account.suspect.PathVote.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Of slow paths the end that most of them share is named. */
class PathVoteTest {
    private static Path path(int near, int far, double seconds) {
        return new Path(near, far, seconds, near == CANARY ? far : near, true);
    }

    private static List<Integer> ends(List<Path> slow) {
        return ends(slow, Set.of());
    }

    private static List<Integer> ends(List<Path> slow, Set<Integer> before) {
        return PathVote.named(slow, 3, before).stream().map(PathVote.Named::end).toList();
    }

    private static List<Path> of(int... ends) {
        List<Path> paths = new ArrayList<>();
        for (int i = 0; i < ends.length; i += 2) {
            paths.add(path(ends[i], ends[i + 1], 0.1));
        }
        return paths;
    }

    static Stream<Arguments> votes() {
        return Stream.of(
                Arguments.of("no path", of(), List.of()),
                Arguments.of("the canary to one broker", of(CANARY, 2), List.of(2)),
                Arguments.of("the canary to all", of(CANARY, 1, CANARY, 2, CANARY, 3), List.of(CANARY)),
                Arguments.of("the canary to two of three", of(CANARY, 1, CANARY, 2), List.of(1, 2)),
                Arguments.of("everybody and broker 2", of(CANARY, 2, 1, 2, 3, 2, 2, 1, 2, 3), List.of(2)),
                Arguments.of("leaders and follower 3", of(1, 3, 2, 3), List.of(3)),
                Arguments.of("leader 1 and its followers", of(1, 2, 1, 3), List.of(1)),
                Arguments.of("one leader and one follower", of(1, 3), List.of(3)),
                Arguments.of("the same two, both ways", of(1, 3, 3, 1), List.of(1)),
                Arguments.of(
                        "the canary's and one broker's", of(CANARY, 1, CANARY, 2, CANARY, 3, 1, 3), List.of(CANARY, 3)),
                Arguments.of("two far from each other", of(1, 2, 5, 6, 7, 6), List.of(6, 2)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("votes")
    void namesTheEndsThatMostShare(String what, List<Path> slow, List<Integer> named) {
        assertThat(ends(slow)).isEqualTo(named);
    }

    @Test
    void ofAsManyPathsTheSlowerOnesDecide() {
        assertThat(ends(List.of(path(1, 2, 0.1), path(1, 4, 0.1), path(3, 2, 0.3))))
                .containsExactly(2, 4);
        assertThat(ends(List.of(path(1, 2, 0.3), path(1, 4, 0.1), path(3, 2, 0.05))))
                .containsExactly(1, 2);
    }

    /** The answers of leader 2 are slow; the evidence of its path to 1 ends earlier than that of its path to 3. */
    @Test
    void anEndThatWasNamedStaysWhereAnotherHasNoMorePaths() {
        assertThat(ends(of(2, 1, 2, 3))).containsExactly(2);
        assertThat(ends(of(2, 3), Set.of(2))).containsExactly(2);
        assertThat(ends(of(2, 3, 1, 3), Set.of(2))).containsExactly(3);
        assertThat(ends(of(CANARY, 2), Set.of(CANARY)))
                .as("one path is not the canary's")
                .containsExactly(2);
    }

    @Test
    void likelyPathsVoteButNameNobodyAlone() {
        Path likely = new Path(CANARY, 1, 0.1, 1, false);

        assertThat(ends(List.of(likely))).isEmpty();
        assertThat(ends(List.of(likely, path(CANARY, 2, 0.1), path(CANARY, 3, 0.1))))
                .containsExactly(CANARY);
    }
}
