/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.fleet;

import io.phasewise.report.latency.Latency.Objective;
import io.phasewise.report.query.Form;
import io.phasewise.report.query.Window;
import io.phasewise.report.source.Warnings;
import io.phasewise.report.stats.Estimate;
import io.phasewise.report.stats.Trend;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * What the review of many clusters found, as numbers: this is what report.json holds. Latencies are
 * in seconds, shares from 0 to 1, times in UTC.
 *
 * @param made when
 * @param server that was read; without credentials
 * @param pattern which clusters were asked for: a regular expression of PromQL
 * @param site whose canaries were asked for; empty where that was left open
 * @param members worst first: most of its budget used, then highest p99
 * @param unmeasured clusters whose latency is not known, by name
 * @param total the sum of the sizes that are known
 * @param warnings why the server's answers may not be whole
 */
public record Fleet(
        Instant made,
        String server,
        String pattern,
        String profile,
        String site,
        String zone,
        Window window,
        List<Member> members,
        List<Unmeasured> unmeasured,
        Size total,
        Warnings warnings) {

    /** How many clusters. */
    public int clusters() {
        return members.size() + unmeasured.size();
    }

    /** The members whose objective is known. */
    public List<Member> known() {
        return members.stream().filter(each -> each.objective().known()).toList();
    }

    /** The members that missed their objective. */
    public List<Member> missed() {
        return known().stream().filter(each -> !each.objective().kept()).toList();
    }

    /** The member with the highest p99; null where none has a p99. */
    public Member slowest() {
        return members.stream()
                .filter(each -> !Double.isNaN(each.p99().value()))
                .max(Comparator.comparingDouble(each -> each.p99().value()))
                .orElse(null);
    }

    /** Whether blocks were left out anywhere. */
    public boolean starved() {
        return members.stream().anyMatch(each -> each.starvedBlocks() > 0);
    }

    /**
     * A cluster whose latency is known.
     *
     * @param p99Trend for each day
     * @param starvedBlocks blocks in which the canary's own stalls made most of the bad probes;
     *     they are left out of the percentiles, but where that is so in all blocks none is
     * @param starvedUnknown blocks for which the canary does not tell
     * @param blocksWithout blocks of the window in which no probe ended
     */
    public record Member(
            String cluster,
            Form form,
            Objective objective,
            Estimate p50,
            Estimate p99,
            Trend p99Trend,
            int starvedBlocks,
            int starvedUnknown,
            int blocksWithout,
            Size size) {}

    /**
     * A cluster whose latency is not known.
     *
     * @param reason why not
     */
    public record Unmeasured(String cluster, String reason, Size size) {}

    /**
     * How large a cluster is; NaN where its brokers' exporters do not tell.
     *
     * @param brokers at the end of the window, or when last seen in it; where no exporter tells,
     *     those that the canary's probes went through
     * @param partitions at the same time, each counted once
     * @param bytesIn a second from producers, mean of the window
     * @param recordsIn likewise
     */
    public record Size(double brokers, double partitions, double bytesIn, double recordsIn) {

        static final Size UNKNOWN = new Size(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
}
