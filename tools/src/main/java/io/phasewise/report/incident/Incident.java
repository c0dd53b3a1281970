/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.incident;

import io.phasewise.common.phase.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A time in which the objective was not kept.
 *
 * @param start begin of the first five minutes
 * @param end end of the last
 * @param bad probes that missed the target or never came
 * @param budget share of the window's error budget that they used
 * @param phase whose mean grew most, compared with the hour before; null where unknown
 * @param growth by how much, in seconds
 * @param suspect the broker's id; empty where it is none, or unknown
 * @param reason who it is and why, in words, or what else it was; empty where unknown
 * @param alerts that fired
 * @param restarts brokers that were restarted
 * @param moved how many of the canary's partitions changed their leader
 */
public record Incident(
        Instant start,
        Instant end,
        double bad,
        double budget,
        Phase phase,
        double growth,
        String suspect,
        String reason,
        List<String> alerts,
        List<String> restarts,
        int moved) {

    /** How long it lasted. */
    public Duration length() {
        return Duration.between(start, end);
    }

    /**
     * All incidents of a window.
     *
     * @param count how many there were
     * @param budget share of the window's budget that all of them used
     * @param worst those that used most, in the order of time
     */
    public record Incidents(int count, double budget, List<Incident> worst) {}
}
