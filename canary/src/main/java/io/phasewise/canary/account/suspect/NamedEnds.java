/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which ends of slow paths are named second by second. Evidence of some paths may end earlier than that of others. So an
 * end that was named stays where another one has as many paths, but no longer than {@link #TIES} after the last second in
 * which it would have been named without that.
 */
final class NamedEnds {
    /** How many seconds a former name decides a tie: an accepted excess without new evidence lasts as long. */
    static final int TIES = CumulativeSum.GOOD_SECONDS;

    /** Of each end the last second in which it was named whoever was named before. */
    private final Map<Integer, Long> won = new HashMap<>();

    private Set<Integer> last = Set.of();

    /**
     * Names ends, as {@link PathVote#named}.
     *
     * @param second ascending
     * @param slow the slow paths
     * @param canaryPaths how many paths of the canary are watched, slow or not
     */
    List<PathVote.Named> names(long second, List<PathVote.Path> slow, int canaryPaths) {
        ends(PathVote.named(slow, canaryPaths, Set.of())).forEach(end -> won.put(end, second));
        won.values().removeIf(at -> second - at > TIES);
        Set<Integer> before = last.stream().filter(won::containsKey).collect(Collectors.toSet());
        List<PathVote.Named> named = PathVote.named(slow, canaryPaths, before);
        last = ends(named);
        return named;
    }

    private static Set<Integer> ends(List<PathVote.Named> named) {
        return named.stream().map(PathVote.Named::end).collect(Collectors.toSet());
    }
}
