/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.access;

import io.phasewise.canary.show.metrics.ClusterMetrics;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.supervise.ProblemBoard;
import java.util.List;
import java.util.Optional;

/**
 * Where failures are counted and problems posted: a profile's, or those of all profiles of a
 * cluster for what concerns them all. Thread-safe.
 */
public final class Reports {
    private final List<Profile> profiles;

    private record Profile(ClusterMetrics metrics, ProblemBoard board) {}

    private Reports(List<Profile> profiles) {
        this.profiles = profiles;
    }

    /** The reports of one profile. */
    public static Reports of(ClusterMetrics metrics, ProblemBoard board) {
        return new Reports(List.of(new Profile(metrics, board)));
    }

    /** The reports of several profiles together. */
    public static Reports all(List<Reports> several) {
        return new Reports(
                several.stream().flatMap(each -> each.profiles.stream()).toList());
    }

    /** See {@link ClusterMetrics#error}. */
    public void error(String client, Throwable failure) {
        profiles.forEach(profile -> profile.metrics().error(client, failure));
    }

    /** See {@link ClusterMetrics#missedMarks}. */
    public void missedMarks(int broker, long count) {
        profiles.forEach(profile -> profile.metrics().missedMarks(broker, count));
    }

    /** See {@link ProblemBoard#post}. */
    public void post(String poster, List<Problem> problems) {
        profiles.forEach(profile -> profile.board().post(poster, problems));
    }

    /**
     * As {@link #post(String, List)}, with the failure of one client; empty when it does not fail.
     */
    public void post(String poster, String client, Optional<String> failure) {
        post(poster, failure.map(text -> new Problem(client, text)).stream().toList());
    }
}
