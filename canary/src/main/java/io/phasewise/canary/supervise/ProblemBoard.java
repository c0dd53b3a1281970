/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the problems of one cluster and logs each once when it appears and once when it is gone;
 * finding them is left to those who post. Thread-safe.
 *
 * <p>A problem whose wording changes while it lasts is logged again once a minute at most.
 */
public final class ProblemBoard {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemBoard.class);
    private static final long REWORDED_NANOS = Duration.ofMinutes(1).toNanos();

    private final String title;
    private final LongSupplier nanoClock;
    private final Map<String, Map<String, Posted>> byPoster = new TreeMap<>();

    private record Posted(Set<Problem> problems, long loggedNanos) {}

    /**
     * @param title what every log line calls the cluster
     * @param nanoClock monotonic nanoseconds
     */
    public ProblemBoard(String title, LongSupplier nanoClock) {
        this.title = title;
        this.nanoClock = nanoClock;
    }

    /**
     * Replaces what one poster has on the board.
     *
     * @param poster who posts; its earlier problems are gone unless posted again
     * @param problems its problems now; may be empty
     */
    public synchronized void post(String poster, List<Problem> problems) {
        if (problems.isEmpty() && !byPoster.containsKey(poster)) {
            return; // most calls: it had none, and has none
        }
        Map<String, Posted> before = byPoster.getOrDefault(poster, Map.of());
        Map<String, Set<Problem>> byKey = new TreeMap<>();
        problems.forEach(
                p -> byKey.computeIfAbsent(p.key(), k -> new TreeSet<>()).add(p));
        Map<String, Posted> now = new TreeMap<>();
        byKey.forEach((key, set) -> now.put(key, logged(set, before.get(key))));
        before.keySet().stream()
                .filter(key -> !now.containsKey(key))
                // Beside another problem it may only be out of sight: who gets no answer is not refused either.
                .forEach(key -> LOG.info("{}: {}: {}", title, key, now.isEmpty() ? "solved" : "not seen any more"));
        if (now.isEmpty()) {
            byPoster.remove(poster);
        } else {
            byPoster.put(poster, now);
        }
    }

    private Posted logged(Set<Problem> problems, Posted before) {
        long now = nanoClock.getAsLong();
        boolean news =
                before == null || !problems.equals(before.problems()) && now - before.loggedNanos() >= REWORDED_NANOS;
        if (!news) {
            return new Posted(problems, before.loggedNanos());
        }
        for (Problem problem : problems) {
            if (before == null || !before.problems().contains(problem)) {
                LOG.warn("{}: {}: {}", title, problem.key(), problem.message());
            }
        }
        return new Posted(problems, now);
    }

    /** Everything on the board, sorted, without repetition. */
    public synchronized List<Problem> problems() {
        Set<Problem> all = new TreeSet<>();
        byPoster.values().forEach(keys -> keys.values().forEach(p -> all.addAll(p.problems())));
        return List.copyOf(all);
    }
}
