/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import io.phasewise.experiments.measure.Histogram;
import io.phasewise.experiments.measure.Phase;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.run.Circumstances;
import io.phasewise.experiments.run.Turn;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
 * @param p99 99th percentile
 * @param p999 99.9th percentile
 * @param max the slowest
 * @param phases means
 * @param medians of each turn, in order
 * @param acknowledged probes whose acknowledgement the producer got
 * @param producerP50 50th percentile from send() to the acknowledgement, to a bucket's width
 * @param producerP99 99th percentile of the same
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
        double producerP50,
        double producerP99,
        Map<Integer, LeaderSummary> leaders,
        Circumstances circumstances) {

    /** Of a variant's turns, one at least, with one probe at least. */
    public static Summary of(List<Turn> turns) {
        double[] all = latencies(turns);
        double[] quantiles = quantiles(all, 0.5, 0.75, 0.99, 0.999);
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
        Histogram producer =
                turns.stream().map(Turn::producer).reduce(Histogram.EMPTY, Histogram::plus);
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
                quantiles[0],
                quantiles[1],
                quantiles[2],
                quantiles[3],
                Arrays.stream(all).max().orElse(Double.NaN),
                phases,
                turns.stream().map(turn -> quantile(latencies(List.of(turn)), 0.5)).toList(),
                Math.round(producer.count()),
                producer.quantile(0.5) * 1e3,
                producer.quantile(0.99) * 1e3,
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
                quantile(latencies, 0.99),
                Arrays.stream(latencies).max().orElse(Double.NaN));
    }

    /** End-to-end latencies of all probes of some turns, infinite ones among them. */
    public static double[] latencies(List<Turn> turns) {
        return turns.stream()
                .flatMap(turn -> turn.probes().stream())
                .mapToDouble(ProbeRecord::endToEnd)
                .toArray();
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
