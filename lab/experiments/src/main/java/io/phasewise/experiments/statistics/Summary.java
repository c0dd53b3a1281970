/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.run.Circumstances;
import io.phasewise.experiments.run.Turn;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.descriptive.Quantile;

/**
 * All turns of one variant in figures; latencies in milliseconds.
 *
 * @param variant its name
 * @param probes how many there were
 * @param unseen how many of them did not come back
 * @param stalled how many were under way while the canary itself stood still
 * @param min the fastest
 * @param mean of those that came back; the phases' means add up to it
 * @param p50 50th percentile of all: those that did not come back took longer than any other, and a
 *     percentile that falls among them is infinite
 * @param p75 75th percentile
 * @param p99 99th percentile; NaN where there are too few probes for it
 * @param p999 99.9th percentile, likewise
 * @param max the slowest
 * @param phases means
 * @param medians of each turn, in order
 * @param acknowledged probes whose acknowledgement the producer got
 * @param acknowledgedP50 50th percentile from when they were due to the acknowledgement; those that
 *     got none took longer than any other
 * @param acknowledgedP99 99th percentile of the same; NaN where there are too few probes for it
 * @param leaders the same probes by the broker that led them
 * @param circumstances means over the turns
 */
public record Summary(
        String variant,
        int probes,
        long unseen,
        long stalled,
        double min,
        double mean,
        double p50,
        double p75,
        double p99,
        double p999,
        double max,
        Map<Phase, Double> phases,
        List<Double> medians,
        long acknowledged,
        double acknowledgedP50,
        double acknowledgedP99,
        Map<Integer, LeaderSummary> leaders,
        Circumstances circumstances) {

    /** Of a variant's turns, one at least, with one probe at least. */
    public static Summary of(List<Turn> turns) {
        double[] all = latencies(turns);
        double[] acknowledged = values(turns, ProbeRecord::acknowledged);
        Map<Phase, Double> phases = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            phases.put(
                    phase,
                    turns.stream()
                            .flatMap(turn -> turn.seen().stream())
                            .mapToDouble(probe -> probe.phases()[phase.ordinal()])
                            .average()
                            .orElse(Double.NaN));
        }
        return new Summary(
                turns.get(0).variant(),
                all.length,
                turns.stream().mapToLong(Turn::unseen).sum(),
                turns.stream()
                        .flatMap(turn -> turn.probes().stream())
                        .filter(ProbeRecord::stalled)
                        .count(),
                Arrays.stream(all).min().orElse(Double.NaN),
                Arrays.stream(all).filter(Double::isFinite).average().orElse(Double.NaN),
                quantile(all, 0.5),
                quantile(all, 0.75),
                tail(all, 0.99),
                tail(all, 0.999),
                Arrays.stream(all).max().orElse(Double.NaN),
                phases,
                turns.stream().map(turn -> quantile(latencies(List.of(turn)), 0.5)).toList(),
                Arrays.stream(acknowledged).filter(Double::isFinite).count(),
                quantile(acknowledged, 0.5),
                tail(acknowledged, 0.99),
                leaders(turns),
                Circumstances.mean(turns.stream().map(Turn::circumstances).toList()));
    }

    private static Map<Integer, LeaderSummary> leaders(List<Turn> turns) {
        Map<Integer, DoubleStream.Builder> latencies = new TreeMap<>();
        for (Turn turn : turns) {
            for (ProbeRecord probe : turn.probes()) {
                latencies
                        .computeIfAbsent(probe.leader(), unused -> DoubleStream.builder())
                        .add(probe.endToEnd());
            }
        }
        Map<Integer, LeaderSummary> all = new TreeMap<>();
        latencies.forEach(
                (leader, builder) -> all.put(leader, ofLeader(builder.build().toArray())));
        return all;
    }

    private static LeaderSummary ofLeader(double[] latencies) {
        return new LeaderSummary(
                latencies.length,
                quantile(latencies, 0.5),
                tail(latencies, 0.99),
                Arrays.stream(latencies).max().orElse(Double.NaN));
    }

    /** End-to-end latencies of all probes of some turns, infinite ones among them. */
    public static double[] latencies(List<Turn> turns) {
        return values(turns, ProbeRecord::endToEnd);
    }

    static double[] values(List<Turn> turns, ToDoubleFunction<ProbeRecord> of) {
        return turns.stream().flatMap(turn -> turn.probes().stream()).mapToDouble(of).toArray();
    }

    private static double tail(double[] latencies, double share) {
        return latencies.length < Percentile.needed(share)
                ? Double.NaN
                : quantile(latencies, share);
    }

    static double quantile(double[] latencies, double share) {
        return quantiles(latencies, share)[0];
    }

    /** As Commons Statistics interpolates them, but never between a number and infinity. */
    static double[] quantiles(double[] latencies, double... shares) {
        double[] found = Quantile.withDefaults().withCopy(true).evaluate(latencies, shares);
        for (int i = 0; i < found.length; i++) {
            found[i] = Double.isNaN(found[i]) ? Double.POSITIVE_INFINITY : found[i];
        }
        return found;
    }
}
