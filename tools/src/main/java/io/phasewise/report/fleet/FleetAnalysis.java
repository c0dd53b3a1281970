/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.fleet;

import io.phasewise.report.fleet.Fleet.Member;
import io.phasewise.report.fleet.Fleet.Size;
import io.phasewise.report.fleet.Fleet.Unmeasured;
import io.phasewise.report.latency.Latency;
import io.phasewise.report.latency.LatencyAnalysis;
import io.phasewise.report.latency.WindowData;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What the clusters of a fleet amount to, one beside the other. Pure functions of what was read.
 */
final class FleetAnalysis {

    private FleetAnalysis() {}

    /**
     * A cluster whose latency is known. Where no exporter counts its brokers, the leaders of the
     * canary's probes are counted.
     */
    static Member member(String cluster, int leaders, WindowData measured, ZoneId zone, Size told) {
        Latency latency = new LatencyAnalysis(measured, zone).latency();
        Size size = Double.isNaN(told.brokers()) && leaders > 0
                ? new Size(leaders, told.partitions(), told.bytesIn(), told.recordsIn())
                : told;
        return new Member(
                cluster,
                measured.form(),
                latency.objective(),
                latency.endToEnd().get(0),
                latency.p99(),
                latency.p99Trend(),
                measured.starvedBlocks(),
                measured.blocksUnknown(),
                measured.window().blocks() - measured.endToEnd().size(),
                size);
    }

    /**
     * Puts the cluster first that used most of its budget, among equals the one with the highest
     * p99. What is unknown comes last. A p99 that is infinite, because of lost probes, comes first
     * among equals.
     */
    static List<Member> worstFirst(List<Member> members) {
        return members.stream()
                .sorted(descending(member -> member.objective().budgetUsed())
                        .thenComparing(descending(member -> member.p99().value()))
                        .thenComparing(Member::cluster))
                .toList();
    }

    private static Comparator<Member> descending(ToDoubleFunction<Member> of) {
        return Comparator.comparingDouble(member -> {
            double value = of.applyAsDouble(member);
            return Double.isNaN(value) ? Double.POSITIVE_INFINITY : -value;
        });
    }

    /** The sum of the sizes that are known. */
    static Size total(List<Member> members, List<Unmeasured> unmeasured) {
        List<Size> all = new ArrayList<>(members.stream().map(Member::size).toList());
        unmeasured.forEach(each -> all.add(each.size()));
        return new Size(
                sum(all, Size::brokers),
                sum(all, Size::partitions),
                sum(all, Size::bytesIn),
                sum(all, Size::recordsIn));
    }

    /** NaN where no size is known. */
    private static double sum(List<Size> all, ToDoubleFunction<Size> of) {
        return all.stream()
                .mapToDouble(of)
                .filter(Double::isFinite)
                .reduce(Double::sum)
                .orElse(Double.NaN);
    }
}
