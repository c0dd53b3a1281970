/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.status;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the problems of one cluster and logs each once when it appears and once when it is gone;
 * finding them is left to those who post. Thread-safe.
 */
public final class ProblemBoard {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemBoard.class);

    private final String cluster;
    private final Map<String, Set<Problem>> byPoster = new TreeMap<>();

    /**
     * @param cluster name of the cluster, said in every log line
     */
    public ProblemBoard(String cluster) {
        this.cluster = cluster;
    }

    /**
     * Replaces what one poster has on the board.
     *
     * @param poster who posts; its earlier problems are gone unless posted again
     * @param problems its problems now; may be empty
     */
    public synchronized void post(String poster, List<Problem> problems) {
        Set<Problem> before = byPoster.getOrDefault(poster, Set.of());
        Set<Problem> now = new TreeSet<>(problems);
        if (now.equals(before)) {
            return;
        }
        for (Problem problem : now) {
            if (!before.contains(problem)) {
                LOG.warn("cluster {}: {}: {}", cluster, problem.key(), problem.message());
            }
        }
        for (Problem problem : before) {
            if (now.stream().noneMatch(p -> p.key().equals(problem.key()))) {
                LOG.info("cluster {}: {}: solved", cluster, problem.key());
            }
        }
        byPoster.put(poster, now);
    }

    /** Everything on the board, sorted, without repetition. */
    public synchronized List<Problem> problems() {
        Set<Problem> all = new TreeSet<>();
        byPoster.values().forEach(all::addAll);
        return List.copyOf(all);
    }
}
