/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import io.phasewise.report.review.Fleet.Member;
import io.phasewise.report.review.Fleet.Size;
import io.phasewise.report.review.Fleet.Sizes;
import io.phasewise.report.review.Fleet.Unmeasured;
import io.phasewise.report.review.Review.Latency;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What the clusters of a fleet amount to, one beside the other. Pure functions of what was read.
 */
final class FleetAnalysis {

    private FleetAnalysis() {}

    /** A cluster, whose brokers the canary's leaders stand for where no exporter counts them. */
    static Member member(String cluster, int leaders, Measured measured, ZoneId zone, Size told) {
        Latency latency = new LatencyAnalysis(measured, zone).latency();
        Size size =
                Double.isNaN(told.brokers()) && leaders > 0
                        ? new Size(leaders, told.partitions(), told.bytesIn(), told.recordsIn())
                        : told;
        return new Member(
                cluster,
                measured.form(),
                latency.objective(),
                latency.endToEnd(0.5),
                latency.endToEnd(0.99),
                latency.p99Trend(),
                measured.starvedBlocks(),
                measured.blocksUnknown(),
                measured.window().blocks() - measured.endToEnd().size(),
                measured.copies(),
                size);
    }

    /**
     * Most of its budget used first, then the highest p99; what is unknown comes last, but a p99
     * that cannot be told for its lost probes comes first among equals.
     */
    static List<Member> worstFirst(List<Member> members) {
        return members.stream()
                .sorted(
                        descending(member -> member.objective().budgetUsed())
                                .thenComparing(descending(member -> member.p99().value()))
                                .thenComparing(Member::cluster))
                .toList();
    }

    private static Comparator<Member> descending(ToDoubleFunction<Member> of) {
        return Comparator.comparingDouble(
                member -> {
                    double value = of.applyAsDouble(member);
                    return Double.isNaN(value) ? Double.POSITIVE_INFINITY : -value;
                });
    }

    /** The measures of size, each over the clusters that have it. */
    static List<Sizes> sizes(List<Member> members, List<Unmeasured> unmeasured) {
        List<Size> all = new ArrayList<>(members.stream().map(Member::size).toList());
        unmeasured.forEach(each -> all.add(each.size()));
        return List.of(
                sizes("Brokers", false, false, all, Size::brokers),
                sizes("Partitions", false, false, all, Size::partitions),
                sizes("Bytes in", true, true, all, Size::bytesIn),
                sizes("Records in", false, true, all, Size::recordsIn));
    }

    private static Sizes sizes(
            String name, boolean bytes, boolean rate, List<Size> all, ToDoubleFunction<Size> of) {
        double[] ascending =
                all.stream().mapToDouble(of).filter(Double::isFinite).sorted().toArray();
        double[] descending = new double[ascending.length];
        for (int i = 0; i < ascending.length; i++) {
            descending[i] = ascending[ascending.length - 1 - i];
        }
        return new Sizes(name, bytes, rate, descending, Arrays.stream(descending).sum());
    }
}
