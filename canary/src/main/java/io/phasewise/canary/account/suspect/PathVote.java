/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which end of slow network paths is named: the one that most of them share. A path lies between a leader and a follower,
 * or between the canary and a broker; a slow path alone does not say which end slows it down, several do.
 */
final class PathVote {
    /** The canary's end of a path; no broker has this id. */
    static final int CANARY = -1;

    /** The canary's end is named only where at least this share of its paths is slow, and two of them. */
    static final double MOST_OF_THEM = 0.75;

    /**
     * A slow path.
     *
     * @param near the leader, or {@link #CANARY}
     * @param far the broker at its other end
     * @param seconds how much longer than usual a probe waits for it, more than 0
     * @param leader whose probes wait
     * @param certain whether the excess is accepted, and not only likely
     */
    record Path(int near, int far, double seconds, int leader, boolean certain) {
        boolean touches(int end) {
            return near == end || far == end;
        }
    }

    /**
     * An end that is named.
     *
     * @param end broker id, or {@link #CANARY}
     * @param paths those that share it, at least one of them certain
     */
    record Named(int end, List<Path> paths) {}

    private PathVote() {}

    /**
     * Names ends, the most shared one first, until every slow path has one. Of ends that share equally many: one that was
     * named before, as evidence of some paths may end earlier than that of others; then the one whose paths exceed their
     * usual wait most, then the far end of more of them, then the lowest id.
     *
     * @param slow the slow paths
     * @param canaryPaths how many paths of the canary are watched, slow or not
     * @param before the ends that were named last and not too long ago ({@link NamedEnds})
     */
    static List<Named> named(List<Path> slow, int canaryPaths, Set<Integer> before) {
        List<Path> left = new ArrayList<>(slow);
        List<Named> named = new ArrayList<>();
        long ofCanary = slow.stream().filter(path -> path.touches(CANARY)).count();
        boolean mayBeCanary = ofCanary >= 2 && ofCanary >= MOST_OF_THEM * canaryPaths;
        while (!left.isEmpty()) {
            int end = mostShared(left, mayBeCanary, before);
            List<Path> its = left.stream().filter(path -> path.touches(end)).toList();
            left.removeAll(its);
            if (its.stream().anyMatch(Path::certain)) {
                named.add(new Named(end, its));
            }
        }
        return named;
    }

    private static int mostShared(List<Path> paths, boolean mayBeCanary, Set<Integer> before) {
        TreeMap<Integer, double[]> votes = new TreeMap<>();
        for (Path path : paths) {
            vote(votes, path.near(), path, 0);
            vote(votes, path.far(), path, 1);
        }
        if (!mayBeCanary) {
            votes.remove(CANARY);
        }
        // Of equals max takes the first one, the lowest id.
        return votes.entrySet().stream()
                .max(Comparator.<java.util.Map.Entry<Integer, double[]>>comparingDouble(each -> each.getValue()[0])
                        .thenComparing(each -> before.contains(each.getKey()))
                        .thenComparingDouble(each -> each.getValue()[1])
                        .thenComparingDouble(each -> each.getValue()[2]))
                .orElseThrow()
                .getKey();
    }

    private static void vote(TreeMap<Integer, double[]> votes, int end, Path path, int far) {
        double[] of = votes.computeIfAbsent(end, id -> new double[3]);
        of[0]++;
        of[1] += path.seconds();
        of[2] += far;
    }
}
