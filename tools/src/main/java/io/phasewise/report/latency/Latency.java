/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.latency;

import io.phasewise.common.phase.Phase;
import io.phasewise.report.query.Form;
import io.phasewise.report.query.Window;
import io.phasewise.report.stats.Estimate;
import io.phasewise.report.stats.Share;
import io.phasewise.report.stats.Trend;
import java.util.List;
import java.util.Map;

/**
 * Latencies of one window.
 *
 * @param objective what was promised and what was kept
 * @param endToEnd percentiles of {@link #LEVELS}
 * @param phases the same of each phase
 * @param means of each phase, in seconds; they add up to the mean end to end
 * @param slowSeconds that probes that missed the target spent in each phase; empty where the
 *     canary does not count them
 * @param dominating the phases that made most of the slow probes' time, the one with most first;
 *     where that is not known, or no probe was slow, those with the highest p99 that the probes
 *     cannot tell apart
 * @param leaders highest p99 first
 * @param hours by hour of the day, 0 to 23; those without data are absent
 * @param weekdays Monday first; those without data are absent
 * @param days in the order of time
 * @param trends of p50 and p99, for each day
 */
public record Latency(
        Window window,
        Form form,
        Objective objective,
        List<Estimate> endToEnd,
        Map<Phase, List<Estimate>> phases,
        Map<Phase, Double> means,
        Map<Phase, Double> slowSeconds,
        List<Phase> dominating,
        List<Leader> leaders,
        List<Slot> hours,
        List<Slot> weekdays,
        List<Slot> days,
        Trend p50Trend,
        Trend p99Trend) {

    /** The percentiles of the report. */
    public static final List<Double> LEVELS = List.of(0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999);

    /** Of the whole path. */
    public Estimate p99() {
        return p99(endToEnd);
    }

    /** Mean of the whole path in seconds, of the probes that came. */
    public double mean() {
        return means.values().stream().mapToDouble(v -> v).sum();
    }

    /** Seconds that slow probes took in all; 0 where that is not known. */
    public double slowInAll() {
        return slowSeconds.values().stream().mapToDouble(d -> d).sum();
    }

    /** The phases in order, each with all that is known of it. */
    public List<PhaseRow> rows() {
        return phases.keySet().stream().map(this::row).toList();
    }

    /** The same of {@link #dominating}. */
    public List<PhaseRow> tail() {
        return dominating.stream().map(this::row).toList();
    }

    /** The lowest level end to end for which the probes are too few; null where none is. */
    public Estimate firstWithoutInterval() {
        return endToEnd.stream().filter(each -> !each.enough()).findFirst().orElse(null);
    }

    private PhaseRow row(Phase phase) {
        List<Estimate> levels = phases.get(phase);
        double slow = slowSeconds.getOrDefault(phase, 0.0);
        return new PhaseRow(phase.label(), means.get(phase), levels, p99(levels), slow);
    }

    private static Estimate p99(List<Estimate> levels) {
        return levels.get(LEVELS.indexOf(0.99));
    }

    /**
     * What the report says of a phase.
     *
     * @param levels percentiles of {@link #LEVELS}
     * @param slow seconds that slow probes spent in it
     */
    public record PhaseRow(String name, double mean, List<Estimate> levels, Estimate p99, double slow) {}

    /**
     * The objective in the window.
     *
     * @param target in seconds
     * @param promised share of probes within the target
     * @param probes that ended
     * @param bad those that missed the target or never came
     * @param lost those that could not be sent or never came, not even late
     * @param good share of probes within the target
     * @param budgetUsed of the bad probes that the promise allows in this window; above 1 is
     *     overdrawn
     * @param versions how many different pairs of target and promise held in the window
     */
    public record Objective(
            double target,
            double promised,
            double probes,
            double bad,
            double lost,
            Share good,
            double budgetUsed,
            int versions) {

        /** Whether it was kept. */
        public boolean kept() {
            return good.value() >= promised;
        }

        public boolean known() {
            return target > 0 && promised > 0;
        }
    }

    /**
     * One leader.
     *
     * @param standsOut whether its p99 is higher than that of the leader in the middle by more than
     *     chance does to the highest of so many
     */
    public record Leader(
            String id,
            double probes,
            double bad,
            double lost,
            Estimate p50,
            Estimate p99,
            Estimate p999,
            boolean standsOut) {

        /** Share of its probes that missed the target; NaN where none ended. */
        public double missed() {
            return bad / probes;
        }
    }

    /**
     * A recurring or single stretch of time.
     *
     * @param name hour, weekday or date
     */
    public record Slot(String name, Estimate p50, Estimate p99) {}
}
