/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.canary.marks.Unmarked;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.Passage;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.probe.ledger.Breakdown;
import io.phasewise.canary.probe.ledger.Delivery;
import io.phasewise.canary.probe.ledger.LatencyRecorder;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.PositionalBreakdowns;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.probe.ledger.ProbeWitness;
import io.phasewise.canary.probe.ledger.SendResult;
import io.phasewise.canary.send.LaneCounts;
import io.phasewise.canary.show.series.ScrapedSeries;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.show.status.ProfileSnapshot;
import io.phasewise.canary.show.status.ProfileSnapshot.PartitionLeader;
import io.phasewise.canary.show.trace.TraceId;
import io.phasewise.canary.show.trace.TraceRule;
import io.phasewise.common.phase.Phase;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CanaryMetricsTest {
    private static final Duration TARGET = Duration.ofMillis(50);
    private static final long SECOND = 1_000_000_000;

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private List<PartitionLeader> leaders = List.of(new PartitionLeader(0, 1, true, Double.NaN));
    private ClusterStatus.Mirror mirror;
    private final CanaryMetrics metrics = metrics(registry, Labels.EMPTY);
    private final ClusterMetrics prod = metrics.cluster("prod", "default", false);
    private final Ledger ledger = ledger(null);

    @Test
    void everySeriesOfABrokerExistsAtZero() {
        ledger.open(1);

        Map<String, Double> scraped = scraped();
        for (String series :
                List.of(
                        "kafka_canary_probes_scheduled_total{leader=1}",
                        "kafka_canary_probes_total{leader=1,outcome=delivered}",
                        "kafka_canary_probes_total{leader=1,outcome=late}",
                        "kafka_canary_probes_total{leader=1,outcome=lost}",
                        "kafka_canary_probes_total{leader=1,outcome=send_failed}",
                        "kafka_canary_probes_in_flight{leader=1}",
                        "kafka_canary_probes_overdue{leader=1}",
                        "kafka_canary_outage_suspected{}",
                        "kafka_canary_duplicates_total{leader=1}",
                        "kafka_canary_out_of_order_total{leader=1}",
                        "kafka_canary_resurfaced_total{leader=1}",
                        "kafka_canary_slo_probes_total{leader=1,verdict=good}",
                        "kafka_canary_slo_probes_total{leader=1,verdict=bad}",
                        "kafka_canary_stalled_probes_total{leader=1}",
                        "kafka_canary_stalled_bad_probes_total{leader=1}",
                        "kafka_canary_end_to_end_latency_seconds_count{leader=1}",
                        "kafka_canary_producer_latency_seconds_count{leader=1}",
                        "kafka_canary_consumer_latency_seconds_count{leader=1}",
                        "kafka_canary_schedule_lag_seconds_count{}",
                        "kafka_canary_lane_wait_seconds_count{}",
                        "kafka_canary_hiccup_seconds_count{}",
                        "kafka_canary_ignored_records_total{reason=foreign}",
                        "kafka_canary_ignored_records_total{reason=other_canary}")) {
            assertThat(scraped).containsEntry(series, 0.0);
        }
        for (Phase phase : Phase.values()) {
            String of = "{leader=1,phase=" + phase.label() + "}";
            assertThat(scraped)
                    .containsEntry("kafka_canary_phase_latency_seconds_count" + of, 0.0)
                    .containsEntry("kafka_canary_slow_probes_phase_seconds_total" + of, 0.0);
        }
    }

    @Test
    void aSnapshotOfTheProfileIsShownAndWhatIsNotKnownIsNot() {
        assertThat(scraped())
                .contains(
                        entry("kafka_canary_slo_target_seconds{}", 0.05),
                        entry("kafka_canary_slo_objective_ratio{}", 0.99),
                        entry("kafka_canary_paused{}", 0.0),
                        entry(
                                "kafka_canary_partition_leader_info{leader=1,partition=0,preferred=true}",
                                1.0),
                        entry("kafka_canary_config_info{acks=all}", 1.0),
                        entry("kafka_canary_lanes{state=ready}", 8.0),
                        entry("kafka_canary_clock_offset_seconds{broker=1}", 0.5),
                        entry("kafka_canary_clock_uncertainty_seconds{broker=1}", 0.0003),
                        entry("kafka_canary_clock_steps_total{broker=1}", 2.0),
                        entry("kafka_canary_network_round_trip_seconds{broker=1}", 0.002),
                        entry("kafka_canary_pings_total{broker=1}", 70.0),
                        entry("kafka_canary_ping_seconds_total{broker=1}", 0.21))
                .doesNotContainKey("kafka_canary_network_one_way_delay_seconds{broker=1}");
    }

    @Test
    void aSiteIsOnEverySeries() {
        PrometheusRegistry elsewhere = new PrometheusRegistry();
        ClusterMetrics atSite =
                metrics(elsewhere, Labels.of("site", "fra-1")).cluster("prod", "default", false);
        ledger.open(1);
        recorder(atSite, null);
        atSite.joinsGroup();
        atSite.error("admin", new IllegalStateException());

        List<Labels> all =
                elsewhere.scrape().stream()
                        .flatMap(family -> family.getDataPoints().stream())
                        .map(DataPointSnapshot::getLabels)
                        .toList();
        assertThat(all).hasSizeGreaterThan(30).allMatch(l -> "fra-1".equals(l.get("site")));
    }

    @Test
    void phasesGoToTheirSeriesAndAStallOfTheCanaryIsCounted() {
        LatencyRecorder recorder =
                prod.leader(1, window(false), nanos -> nanos > 5, TARGET, 1, null);
        Probe probe = probe();
        recorder.endToEnd(probe, 5);
        recorder.endToEnd(probe, 6);
        recorder.phases(probe, split(SECOND, 0, 2 * SECOND, SECOND / 4, SECOND / 2));

        assertThat(scraped())
                .contains(
                        entry(
                                "kafka_canary_phase_latency_seconds_count{leader=1,phase=catch_up}",
                                1.0),
                        entry("kafka_canary_phase_latency_seconds_sum{leader=1,phase=commit}", 2.0),
                        entry("kafka_canary_consumer_latency_seconds_sum{leader=1}", 0.75),
                        entry("kafka_canary_stalled_probes_total{leader=1}", 1.0));
    }

    @Test
    void theTimeOfSlowProbesIsCountedByPhaseAndThatOfOthersIsNot() {
        LatencyRecorder recorder = recorder(prod, null);
        Probe probe = probe();
        long target = TARGET.toNanos();
        String series = "kafka_canary_slow_probes_phase_seconds_total{leader=1,phase=%s}";
        recorder.phases(probe, split(0, target, 0, 0, 0));
        assertThat(scraped()).containsEntry(series.formatted("publish"), 0.0);

        recorder.phases(probe, split(SECOND, target, 0, 0, SECOND / 2));
        recorder.phases(probe, split(SECOND, 0, 0, 0, 0));

        assertThat(scraped())
                .contains(
                        entry(series.formatted("produce"), 2.0),
                        entry(series.formatted("publish"), target / 1e9),
                        entry(series.formatted("commit"), 0.0),
                        entry(series.formatted("fetch"), 0.5));
    }

    @Test
    void nanosecondsOfAPhaseThatTakesNoTimeGoToTheZeroBucketAndLeaveTheResolution() {
        LatencyRecorder recorder = recorder(prod, null);
        Probe probe = probe();
        // Every bucket from 1 ns to 60 s: 2,290 of them.
        for (double nanos = 1; nanos < 60e9; nanos *= 1.01) {
            recorder.phases(probe, split((long) nanos, 0, 0, 0, 0));
        }

        HistogramDataPointSnapshot produce =
                histogram("kafka_canary_phase_latency_seconds")
                        .filter(point -> "produce".equals(point.getLabels().get("phase")))
                        .findFirst()
                        .orElseThrow();
        assertThat(produce.getNativeSchema()).isEqualTo(6);
        assertThat(produce.getNativeZeroThreshold()).isEqualTo(1e-5);
        assertThat(produce.getNativeZeroCount()).isGreaterThan(900);
    }

    @Test
    void onlyAMirroredProfileHasTheMirrorBesideThePhases() {
        ledger.open(1);
        assertThat(text()).doesNotContain("mirror_");

        ClusterMetrics mirrored = metrics.cluster("prod", "to-fra", true);
        LatencyRecorder recorder =
                mirrored.leader(1, window(true), nanos -> false, TARGET, 1, null);
        Instants none = new Instants(0, 0, 0, 0, 0, 0);
        recorder.phases(
                probe(), new Breakdown(none, new PhaseBreakdown(SECOND, 0, 0, 3 * SECOND, 0, 0)));
        leaders =
                List.of(
                        new PartitionLeader(0, 1, true, 0.02),
                        new PartitionLeader(1, 2, true, Double.NaN),
                        new PartitionLeader(2, 3, true, 0.02),
                        new PartitionLeader(3, 3, true, 0.05));
        mirror = new ClusterStatus.Mirror("xyz", "prod.t", Map.of(0, 7, 1, -1, 2, 7, 3, 8));

        String uncertainty = "kafka_canary_mirror_uncertainty_seconds{leader=%d}";
        String leader = "kafka_canary_mirror_partition_leader_info{leader=%d,partition=%d,";
        assertThat(scraped())
                .contains(
                        entry(
                                "kafka_canary_mirror_latency_seconds_sum{leader=1,profile=to-fra}",
                                3.0),
                        entry(
                                "kafka_canary_slow_probes_mirror_seconds_total"
                                        + "{leader=1,profile=to-fra}",
                                3.0),
                        entry(uncertainty.formatted(1), 0.02),
                        entry(uncertainty.formatted(3), 0.05), // of two, the worse
                        entry(leader.formatted(1, 0) + "target_leader=7}", 1.0),
                        entry(leader.formatted(2, 1) + "target_leader=-1}", 1.0),
                        entry(leader.formatted(3, 3) + "target_leader=8}", 1.0))
                .doesNotContainKey(uncertainty.formatted(2));
        assertThat(text()).doesNotContain("phase=\"mirror\"");

        mirrored.forget(1);
        assertThat(text())
                .doesNotContain(
                        "kafka_canary_mirror_latency_seconds_sum", "slow_probes_mirror_seconds");
    }

    @Test
    void onlyTimeInWhichTheProcessStoodStillAddsUp() {
        metrics.hiccup(20_000_000);
        assertThat(scraped()).containsEntry("kafka_canary_stalled_seconds_total{}", 0.0);
        metrics.hiccup(250_000_000);
        metrics.hiccup(500_000_000);
        assertThat(scraped())
                .containsEntry("kafka_canary_stalled_seconds_total{}", 0.75)
                .containsEntry("kafka_canary_hiccup_seconds_count{}", 3.0);
    }

    @Test
    void commitsAndRebalancesAreCountedFromZeroForAMemberOfAGroupOnly() {
        String commits = "kafka_canary_offset_commit_latency_seconds_";
        String rebalances = "kafka_canary_rebalance_latency_seconds_";
        assertThat(scraped())
                .as("no group")
                .doesNotContainKeys(commits + "count{}", "kafka_canary_rebalances_total{}");
        prod.joinsGroup();
        assertThat(scraped())
                .containsEntry(commits + "count{}", 0.0)
                .containsEntry("kafka_canary_rebalances_total{}", 0.0)
                .containsEntry(rebalances + "count{}", 0.0);

        prod.committed(3_000_000);
        prod.rebalanced(2 * SECOND);

        assertThat(scraped())
                .containsEntry(commits + "sum{}", 0.003)
                .containsEntry("kafka_canary_rebalances_total{}", 1.0)
                .containsEntry(rebalances + "sum{}", 2.0);
    }

    @Test
    void theEndToEndHistogramIsNativeToOnePerCentAndClassicWithTheTargetAsABoundary() {
        deliver(ledger, 0, TARGET.toNanos());

        String bucket = "kafka_canary_end_to_end_latency_seconds_bucket{leader=1,le=%s}";
        assertThat(scraped())
                .containsEntry(bucket.formatted("0.05"), 1.0)
                .containsEntry(bucket.formatted("0.04"), 0.0);
        HistogramDataPointSnapshot point = endToEnd();
        assertThat(point.getNativeSchema()).isEqualTo(6);
        double upper =
                Math.pow(2, point.getNativeBucketsForPositiveValues().getBucketIndex(0) / 64.0);
        double lower = upper / Math.pow(2, 1 / 64.0);
        assertThat(Math.sqrt(upper * lower)).isCloseTo(0.05, within(0.05 * 0.0055));
    }

    @Test
    void theNativeHistogramStaysPreciseOverTheWholeRange() {
        for (double latency = 1e-4; latency < 59; latency *= 1.01) {
            deliver(ledger, 0, (long) (latency * 1e9));
        }

        assertThat(endToEnd().getNativeSchema()).isEqualTo(6);
    }

    @Test
    void aSlowProbesIdIsTheExemplarOfItsLatencyAndItsPhases() {
        deliver(ledger, 3, 70_000_000);

        String id = "probe_id=\"000000000000feed-3-0\"";
        assertThat(text().lines().filter(line -> line.contains(id)))
                .as("in one bucket of each of six histograms")
                .hasSize(6)
                .anyMatch(
                        line ->
                                line.startsWith("kafka_canary_end_to_end_latency_seconds_bucket")
                                        && line.contains("le=\"0.08\"} 1 # {" + id + "} 0.07"))
                .anyMatch(
                        line ->
                                line.startsWith("kafka_canary_phase_latency_seconds_bucket")
                                        && line.contains("phase=\"fetch\""));
        assertThat(endToEnd().getExemplars().size()).as("of the native form").isEqualTo(1);
    }

    @Test
    void anExemplarLeadsToATraceWhereThereAreTraces() {
        Ledger traced = ledger(new TraceRule(0xfeed, TARGET, 0));
        deliver(traced, 3, 40_000_000);
        deliver(traced, 3, 70_000_000);

        String exemplar = "# {probe_id=\"000000000000feed-3-1\",trace_id=\"%s\"} ";
        String expected = exemplar.formatted(TraceId.of(0xfeed, 3, 1));
        assertThat(text().lines().filter(line -> line.contains(" # {")))
                .as("of the slow one alone, end to end and five phases")
                .hasSize(6)
                .allMatch(line -> line.contains(expected));
    }

    @Test
    void theSeriesOfALeaderThatIsForgottenEndAndBeginAtZeroWhenItComesBack() {
        deliver(ledger, 0, 2 * SECOND);
        String count = "kafka_canary_end_to_end_latency_seconds_count{leader=1}";
        assertThat(scraped()).containsEntry(count, 1.0);
        long left = Duration.ofMinutes(10).toNanos();
        ledger.sweep(left);
        assertThat(ledger.retainBrokers(Set.of(), left)).isEmpty();

        Set<Integer> forgotten =
                ledger.retainBrokers(Set.of(), left + Duration.ofHours(2).toNanos());
        forgotten.forEach(prod::forget);

        assertThat(forgotten).containsExactly(1);
        assertThat(text().lines().filter(line -> line.contains("leader=\"1\"")))
                .allMatch(line -> line.startsWith("kafka_canary_partition_leader_info"));
        ledger.lead(0, 1);
        assertThat(scraped()).containsEntry(count, 0.0);
    }

    @Test
    void oneScrapeShowsOneReadingOfTheLedger() {
        probe();
        deliver(ledger, 0, 1);

        assertThat(scraped())
                .containsEntry("kafka_canary_probes_scheduled_total{leader=1}", 2.0)
                .containsEntry("kafka_canary_probes_total{leader=1,outcome=delivered}", 1.0)
                .containsEntry("kafka_canary_probes_in_flight{leader=1}", 1.0);
    }

    @Test
    void whoToldThePhasesAndHowFarTheEstimateWasOffIsShown() {
        LatencyRecorder recorder = recorder(prod, null);
        Probe probe = probe();
        String source = "kafka_canary_phase_source{leader=1,source=%s}";
        String error = "kafka_canary_phase_estimate_error_seconds_sum{leader=1,phase=%s,sign=%s}";
        recorder.phases(probe, split(0, 1, 1, 0, 0));
        assertThat(scraped())
                .containsEntry(source.formatted("broker"), 0.0)
                .containsEntry(source.formatted("estimate"), 1.0);
        assertThat(text()).doesNotContain("estimate_error_seconds_count{");

        Breakdown.Marked marked =
                new Breakdown.Marked(
                        new Passage(0, 0, 0, 0, new TreeMap<>(), 0, 0),
                        1,
                        new PhaseBreakdown(0, SECOND, 3 * SECOND, 0, 0),
                        true);
        Breakdown told = split(0, 3 * SECOND, SECOND, 0, 0);
        recorder.phases(probe, new Breakdown(told.instants(), told.phases(), Optional.of(marked)));
        prod.unmarked(1, Unmarked.NO_MARK);
        assertThat(scraped())
                .contains(
                        entry(source.formatted("broker"), 1.0),
                        entry(source.formatted("estimate"), 0.0),
                        entry(error.formatted("publish", "under"), 2.0),
                        entry(error.formatted("commit", "over"), 2.0),
                        entry("kafka_canary_misestimated_probes_total{leader=1}", 1.0),
                        entry("kafka_canary_unmarked_probes_total{leader=1,reason=no_mark}", 1.0));

        prod.forget(1);
        assertThat(text())
                .doesNotContain(
                        "unmarked_probes_total{",
                        "misestimated_probes_total{",
                        "phase_source{",
                        "error_seconds_sum{");
    }

    private CanaryMetrics metrics(PrometheusRegistry in, Labels everywhere) {
        return new CanaryMetrics(
                new SeriesRegistry(in, everywhere, List.of(0.05)),
                Duration.ofMillis(20),
                () -> List.of(snapshot()));
    }

    private Ledger ledger(TraceRule traces) {
        return new Ledger(
                TARGET,
                Duration.ofSeconds(5),
                Duration.ofSeconds(60),
                leader -> recorder(prod, traces),
                PositionalBreakdowns.INSTANCE,
                ProbeWitness.NONE);
    }

    /** Of broker 1. */
    private static LatencyRecorder recorder(ClusterMetrics of, TraceRule traces) {
        return of.leader(1, window(false), nanos -> false, TARGET, 0xfeed, traces);
    }

    private static RecentWindow window(boolean mirrored) {
        return new RecentWindow(System::nanoTime, mirrored);
    }

    private Probe probe() {
        ledger.lead(0, 1);
        return ledger.scheduled(0, 0);
    }

    private static void deliver(Ledger ledger, int partition, long latency) {
        ledger.lead(partition, 1);
        Probe probe = ledger.scheduled(partition, 0);
        ledger.settled(probe, new SendResult(List.of(), 1, 1, List.of(), 0, 0, 0));
        ledger.delivered(
                partition, probe.sequence(), new Delivery(latency, Delivery.NO_APPEND_TIME, 0));
    }

    private Stream<HistogramDataPointSnapshot> histogram(String name) {
        return registry.scrape(name::equals).stream()
                .flatMap(family -> ((HistogramSnapshot) family).getDataPoints().stream());
    }

    private HistogramDataPointSnapshot endToEnd() {
        return histogram("kafka_canary_end_to_end_latency_seconds").findFirst().orElseThrow();
    }

    private String text() {
        return ScrapedSeries.text(registry);
    }

    private Map<String, Double> scraped() {
        return ScrapedSeries.values(registry);
    }

    private ProfileSnapshot snapshot() {
        return new ProfileSnapshot(
                new ProfileSnapshot.Facts(
                        "prod", "default", "cluster prod", Map.of("acks", "all"), 1, 0.05, 0.99),
                "abc",
                ClusterStatus.State.RUNNING,
                List.of(),
                null,
                leaders,
                ledger.counts(),
                ledger.suspectsOutage(),
                List.of(
                        new ProfileSnapshot.BrokerTiming(
                                1, 0.5, 0.0003, 2, Double.NaN, 0.002, 70, 0.21)),
                8,
                Optional.of(new LaneCounts(8, 0, 0)),
                mirror);
    }

    private static Breakdown split(
            long produce, long publish, long commit, long catchUp, long fetch) {
        return new Breakdown(
                new Instants(0, 0, 0, 0, 0, 0),
                new PhaseBreakdown(produce, publish, commit, catchUp, fetch));
    }
}
