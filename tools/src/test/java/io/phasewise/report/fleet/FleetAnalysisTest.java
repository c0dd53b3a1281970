/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.fleet.Fleet.Member;
import io.phasewise.report.fleet.Fleet.Size;
import io.phasewise.report.fleet.Fleet.Unmeasured;
import io.phasewise.report.latency.Counts;
import io.phasewise.report.latency.Latency.Objective;
import io.phasewise.report.latency.SampleWindow;
import io.phasewise.report.latency.WindowData;
import io.phasewise.report.query.Form;
import io.phasewise.report.query.Window;
import io.phasewise.report.stats.Estimate;
import io.phasewise.report.stats.Histogram;
import io.phasewise.report.stats.Histogram.Bucket;
import io.phasewise.report.stats.Share;
import io.phasewise.report.stats.Trend;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What clusters amount to beside each other. */
class FleetAnalysisTest {

    private static final Instant START = Instant.parse("2026-11-02T00:00:00Z");

    @Test
    void whoUsedMostOfItsBudgetIsWorstThenTheSlower() {
        List<Member> members = List.of(
                member("unknown", Double.NaN, 9),
                member("slow", 0.2, 0.030),
                member("slower", 0.2, 0.040),
                member("overdrawn", 1.5, 0.010),
                member("lost", 0.2, Double.POSITIVE_INFINITY),
                member("unheard", 0.2, Double.NaN));
        assertThat(FleetAnalysis.worstFirst(members))
                .extracting(Member::cluster)
                .containsExactly("overdrawn", "lost", "slower", "slow", "unheard", "unknown");
    }

    @Test
    void whereNoExporterTellsTheCanarysLeadersAreTheBrokers() {
        WindowData measured = measured();
        Member without = FleetAnalysis.member("a", 5, measured, ZoneOffset.UTC, Size.UNKNOWN);
        assertThat(without.size().brokers()).isEqualTo(5);
        assertThat(without.size().partitions()).isNaN();
        Member with = FleetAnalysis.member("a", 5, measured, ZoneOffset.UTC, new Size(6, 600, 1e6, 1e3));
        assertThat(with.size().brokers()).isEqualTo(6);
        assertThat(with.blocksWithout()).isEqualTo(1);
        assertThat(with.starvedBlocks()).isEqualTo(1);
        assertThat(with.objective().budgetUsed()).isBetween(0.49, 0.51);
    }

    @Test
    void unmeasuredClustersCountForTheTotalAndUnknownSizesDoNot() {
        Size total = FleetAnalysis.total(
                List.of(member("a", 0, 1)),
                List.of(
                        new Unmeasured("b", "", new Size(30, 100, Double.NaN, 5)),
                        new Unmeasured("c", "", Size.UNKNOWN)));
        assertThat(total).isEqualTo(new Size(33, 150, 1e6, 1005));
        assertThat(FleetAnalysis.total(List.of(), List.of()).brokers()).isNaN();
    }

    private static Member member(String name, double budgetUsed, double p99) {
        return new Member(
                name,
                Form.RAW_NATIVE,
                new Objective(0.05, 0.99, 1000, 1, 0, new Share(0.99, 0.98, 1), budgetUsed, 1),
                new Estimate(0.5, p99 / 2, p99 / 2, p99 / 2, 1000, 5),
                new Estimate(0.99, p99, p99, p99, 1000, 368),
                new Trend(Double.NaN, Double.NaN, Double.NaN, 0),
                0,
                0,
                0,
                new Size(3, 50, 1e6, 1e3));
    }

    /** Four quarters of an hour, of which one has no probes and one a starved canary. */
    private static WindowData measured() {
        Window window = new Window(START, START.plus(Duration.ofHours(1)), Duration.ofMinutes(15));
        Histogram some = Histogram.of(List.of(new Bucket(0.01, 0.02, 1000)), 15);
        Counts starved = new Counts(1000, 15, 0, 0, 12);
        Counts good = new Counts(1000, 0, 0, 0, 0);
        Counts[] counts = {starved, good, good, null};
        return SampleWindow.measured(window, block -> block < 3 ? some : Histogram.EMPTY, block -> counts[block]);
    }
}
