/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import static org.assertj.core.api.Assertions.assertThat;
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
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.show.status.ProfileSnapshot;
import io.phasewise.canary.show.status.ProfileSnapshot.PartitionLeader;
import io.phasewise.canary.show.trace.TraceId;
import io.phasewise.canary.show.trace.TraceRule;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CanaryMetricsTest {
    private static final Duration TARGET = Duration.ofMillis(50);

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private List<PartitionLeader> leaders = List.of(new PartitionLeader(0, 1, true, Double.NaN));
    private ClusterStatus.Mirror mirror;
    private final CanaryMetrics metrics =
            new CanaryMetrics(
                    new SeriesRegistry(registry, Labels.EMPTY, List.of(0.05)),
                    Duration.ofMillis(20),
                    this::snapshots);
    private final ClusterMetrics prod = metrics.cluster("prod", "default", false);
    private final Ledger ledger =
            new Ledger(
                    Duration.ofMillis(50),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(60),
                    leader ->
                            prod.leader(
                                    leader,
                                    new RecentWindow(System::nanoTime, false),
                                    nanos -> nanos > 1_000_000_000,
                                    TARGET,
                                    0xfeed,
                                    null),
                    PositionalBreakdowns.INSTANCE,
                    ProbeWitness.NONE);

    @Test
    void everySeriesOfABrokerExistsAtZero() throws Exception {
        ledger.open(1);

        assertThat(text())
                .contains(
                        series("kafka_canary_probes_scheduled_total", "", "0.0"),
                        series("kafka_canary_probes_total", "outcome=\"delivered\",", "0.0"),
                        series("kafka_canary_probes_total", "outcome=\"late\",", "0.0"),
                        series("kafka_canary_probes_total", "outcome=\"lost\",", "0.0"),
                        series("kafka_canary_probes_total", "outcome=\"send_failed\",", "0.0"),
                        series("kafka_canary_probes_in_flight", "", "0.0"),
                        series("kafka_canary_probes_overdue", "", "0.0"),
                        "kafka_canary_outage_suspected{cluster=\"prod\",profile=\"default\"} 0.0",
                        series("kafka_canary_duplicates_total", "", "0.0"),
                        series("kafka_canary_out_of_order_total", "", "0.0"),
                        "kafka_canary_slo_probes_total{cluster=\"prod\",leader=\"1\",profile=\"default\",verdict=\"good\"}"
                            + " 0.0",
                        "kafka_canary_end_to_end_latency_seconds_count{cluster=\"prod\",leader=\"1\",profile=\"default\"}"
                            + " 0",
                        "kafka_canary_producer_latency_seconds_count{cluster=\"prod\",leader=\"1\",profile=\"default\"}"
                            + " 0",
                        "kafka_canary_consumer_latency_seconds_count{cluster=\"prod\",leader=\"1\",profile=\"default\"}"
                            + " 0",
                        series("kafka_canary_resurfaced_total", "", "0.0"),
                        series("kafka_canary_stalled_bad_probes_total", "", "0.0"),
                        slowSeconds("produce", "0.0"),
                        slowSeconds("fetch", "0.0"),
                        "kafka_canary_schedule_lag_seconds_count{cluster=\"prod\",profile=\"default\"}"
                            + " 0",
                        "kafka_canary_ignored_records_total{cluster=\"prod\",profile=\"default\",reason=\"foreign\"}"
                            + " 0.0",
                        "kafka_canary_slo_target_seconds{cluster=\"prod\",profile=\"default\"}"
                                + " 0.05",
                        "kafka_canary_slo_objective_ratio{cluster=\"prod\",profile=\"default\"}"
                                + " 0.99",
                        "kafka_canary_partition_leader_info{cluster=\"prod\",leader=\"1\",partition=\"0\",preferred=\"true\",profile=\"default\"}"
                            + " 1.0",
                        "kafka_canary_config_info{acks=\"all\",cluster=\"prod\",profile=\"default\"}"
                            + " 1.0");
    }

    @Test
    void aSiteIsOnEverySeries() {
        PrometheusRegistry elsewhere = new PrometheusRegistry();
        ClusterMetrics atSite =
                new CanaryMetrics(
                                new SeriesRegistry(
                                        elsewhere, Labels.of("site", "fra-1"), List.of(0.05)),
                                Duration.ofMillis(20),
                                this::snapshots)
                        .cluster("prod", "default", false);
        ledger.open(1);
        atSite.leader(
                1, new RecentWindow(System::nanoTime, false), nanos -> false, TARGET, 0xfeed, null);
        atSite.joinsGroup();
        atSite.error("admin", new IllegalStateException());

        List<Labels> all =
                elsewhere.scrape().stream()
                        .flatMap(family -> family.getDataPoints().stream())
                        .map(point -> point.getLabels())
                        .toList();
        assertThat(all).hasSizeGreaterThan(30).allMatch(l -> "fra-1".equals(l.get("site")));
    }

    @Test
    void everyPhaseOfEveryBrokerExistsAtZeroAndSoDoesWhatTheCanarySaysOfItself() throws Exception {
        ledger.open(1);

        assertThat(text())
                .contains(
                        phaseCount("produce", 0),
                        phaseCount("publish", 0),
                        phaseCount("commit", 0),
                        phaseCount("catch_up", 0),
                        phaseCount("fetch", 0),
                        series("kafka_canary_stalled_probes_total", "", "0.0"),
                        "kafka_canary_hiccup_seconds_count 0",
                        "kafka_canary_lane_wait_seconds_count{cluster=\"prod\",profile=\"default\"}"
                                + " 0",
                        "kafka_canary_lanes{cluster=\"prod\",profile=\"default\",state=\"ready\"}"
                                + " 8.0",
                        "kafka_canary_clock_offset_seconds{broker=\"1\",cluster=\"prod\",profile=\"default\"}"
                            + " 0.5",
                        "kafka_canary_clock_uncertainty_seconds{broker=\"1\",cluster=\"prod\",profile=\"default\"}"
                            + " 3.0E-4",
                        "kafka_canary_clock_steps_total{broker=\"1\",cluster=\"prod\",profile=\"default\"}"
                            + " 2.0",
                        "kafka_canary_network_round_trip_seconds{broker=\"1\"")
                .as("what is not known is not shown")
                .doesNotContain("kafka_canary_network_one_way_delay_seconds{");
    }

    @Test
    void phasesGoToTheirSeriesAndAStallOfTheCanaryIsCounted() throws Exception {
        LatencyRecorder recorder =
                prod.leader(
                        1, new RecentWindow(System::nanoTime, false), n -> n > 5, TARGET, 1, null);
        ledger.lead(0, 1);
        Probe probe = ledger.scheduled(0, 0);
        recorder.endToEnd(probe, 5);
        recorder.endToEnd(probe, 6);
        recorder.phases(probe, split(1_000_000_000, 0, 2_000_000_000, 0, 0));

        assertThat(text())
                .contains(
                        phaseCount("catch_up", 1),
                        "kafka_canary_phase_latency_seconds_sum{cluster=\"prod\",leader=\"1\",phase=\"commit\",profile=\"default\"}"
                            + " 2.0",
                        series("kafka_canary_stalled_probes_total", "", "1.0"));
    }

    @Test
    void theTimeOfSlowProbesIsCountedByPhaseAndThatOfOthersIsNot() throws Exception {
        LatencyRecorder recorder =
                prod.leader(
                        1, new RecentWindow(System::nanoTime, false), n -> false, TARGET, 1, null);
        ledger.lead(0, 1);
        Probe probe = ledger.scheduled(0, 0);
        long target = TARGET.toNanos();
        recorder.phases(probe, split(0, target, 0, 0, 0));
        assertThat(text()).contains(slowSeconds("publish", "0.0"));

        recorder.phases(probe, split(1_000_000_000, target, 0, 0, 500_000_000));
        recorder.phases(probe, split(1_000_000_000, 0, 0, 0, 0));

        assertThat(text())
                .contains(
                        slowSeconds("produce", "2.0"),
                        slowSeconds("publish", String.valueOf(target / 1e9)),
                        slowSeconds("commit", "0.0"),
                        slowSeconds("fetch", "0.5"));
    }

    @Test
    void consumerLatencyIsWhatCameAfterTheCommit() throws Exception {
        LatencyRecorder recorder =
                prod.leader(
                        1, new RecentWindow(System::nanoTime, false), n -> false, TARGET, 1, null);
        ledger.lead(0, 1);
        recorder.phases(
                ledger.scheduled(0, 0),
                split(1_000_000_000, 1_000_000_000, 0, 250_000_000, 500_000_000));

        assertThat(text())
                .contains(
                        "kafka_canary_consumer_latency_seconds_sum{cluster=\"prod\",leader=\"1\",profile=\"default\"}"
                            + " 0.75");
    }

    @Test
    void nanosecondsOfAPhaseThatTakesNoTimeGoToTheZeroBucketAndLeaveTheResolution() {
        LatencyRecorder recorder =
                prod.leader(
                        1, new RecentWindow(System::nanoTime, false), n -> false, TARGET, 1, null);
        ledger.lead(0, 1);
        Probe probe = ledger.scheduled(0, 0);
        // Every bucket from 1 ns to 60 s: 2,290 of them.
        for (double nanos = 1; nanos < 60e9; nanos *= 1.01) {
            recorder.phases(probe, split((long) nanos, 0, 0, 0, 0));
        }

        HistogramSnapshot phases =
                (HistogramSnapshot)
                        registry.scrape("kafka_canary_phase_latency_seconds"::equals).stream()
                                .findFirst()
                                .orElseThrow();
        HistogramSnapshot.HistogramDataPointSnapshot produce =
                phases.getDataPoints().stream()
                        .filter(point -> "produce".equals(point.getLabels().get("phase")))
                        .findFirst()
                        .orElseThrow();
        assertThat(produce.getNativeSchema()).isEqualTo(6);
        assertThat(produce.getNativeZeroThreshold()).isEqualTo(1e-5);
        assertThat(produce.getNativeZeroCount()).isGreaterThan(900);
    }

    @Test
    void onlyAMirroredProfileHasTheMirrorBesideThePhases() throws Exception {
        ledger.open(1);
        assertThat(text()).doesNotContain("mirror_");

        ClusterMetrics mirrored = metrics.cluster("prod", "to-fra", true);
        LatencyRecorder recorder =
                mirrored.leader(
                        1,
                        new RecentWindow(System::nanoTime, true),
                        nanos -> false,
                        TARGET,
                        1,
                        null);
        ledger.lead(0, 1);
        recorder.phases(ledger.scheduled(0, 0), split(1_000_000_000, 0, 0, 3_000_000_000L, 0, 0));
        leaders =
                List.of(
                        new PartitionLeader(0, 1, true, 0.02),
                        new PartitionLeader(1, 2, true, Double.NaN));
        mirror = new ClusterStatus.Mirror("xyz", "prod.t", Map.of(0, 7, 1, -1));

        assertThat(text())
                .contains(
                        "kafka_canary_mirror_latency_seconds_sum{cluster=\"prod\",leader=\"1\",profile=\"to-fra\"}"
                            + " 3.0",
                        "kafka_canary_slow_probes_mirror_seconds_total{cluster=\"prod\",leader=\"1\",profile=\"to-fra\"}"
                            + " 3.0",
                        "kafka_canary_mirror_uncertainty_seconds{cluster=\"prod\",leader=\"1\",profile=\"default\"}"
                            + " 0.02",
                        "kafka_canary_mirror_partition_leader_info{cluster=\"prod\",leader=\"1\",partition=\"0\",profile=\"default\",target_leader=\"7\"}"
                            + " 1.0",
                        "kafka_canary_mirror_partition_leader_info{cluster=\"prod\",leader=\"2\",partition=\"1\",profile=\"default\",target_leader=\"-1\"}"
                            + " 1.0")
                .doesNotContain(
                        "phase=\"mirror\"",
                        "kafka_canary_mirror_uncertainty_seconds{cluster=\"prod\",leader=\"2\"");

        mirrored.forget(1);
        assertThat(text())
                .doesNotContain(
                        "kafka_canary_mirror_latency_seconds_sum", "slow_probes_mirror_seconds");
    }

    @Test
    void aLeaderOfTwoMirroredPartitionsIsAsUncertainAsTheWorseOfThem() throws Exception {
        leaders =
                List.of(
                        new PartitionLeader(0, 1, true, 0.02),
                        new PartitionLeader(1, 1, true, 0.05),
                        new PartitionLeader(2, 1, true, Double.NaN));
        mirror = new ClusterStatus.Mirror("xyz", "prod.t", Map.of(0, 7, 1, 8, 2, 7));

        assertThat(text())
                .containsOnlyOnce("kafka_canary_mirror_uncertainty_seconds{")
                .contains(
                        "kafka_canary_mirror_uncertainty_seconds{cluster=\"prod\",leader=\"1\",profile=\"default\"}"
                            + " 0.05",
                        "leader=\"1\",partition=\"1\",profile=\"default\",target_leader=\"8\"}"
                                + " 1.0");
    }

    @Test
    void onlyTimeInWhichTheProcessStoodStillAddsUp() throws Exception {
        metrics.hiccup(20_000_000);
        assertThat(text()).contains("kafka_canary_stalled_seconds_total 0.0");
        metrics.hiccup(250_000_000);
        metrics.hiccup(500_000_000);
        assertThat(text())
                .contains(
                        "kafka_canary_stalled_seconds_total 0.75",
                        "kafka_canary_hiccup_seconds_count 3");
    }

    @Test
    void commitsAndRebalancesAreCountedFromZeroForAMemberOfAGroupOnly() throws Exception {
        assertThat(text())
                .as("no group")
                .doesNotContain("offset_commit_latency_seconds_count")
                .doesNotContain("kafka_canary_rebalances_total{");
        prod.joinsGroup();
        assertThat(text())
                .contains(
                        group("kafka_canary_offset_commit_latency_seconds_count", "0"),
                        group("kafka_canary_rebalances_total", "0.0"),
                        group("kafka_canary_rebalance_latency_seconds_count", "0"));

        prod.committed(3_000_000);
        prod.rebalanced(2_000_000_000);

        assertThat(text())
                .contains(
                        group("kafka_canary_offset_commit_latency_seconds_sum", "0.003"),
                        group("kafka_canary_rebalances_total", "1.0"),
                        group("kafka_canary_rebalance_latency_seconds_sum", "2.0"));
    }

    private static String group(String name, String value) {
        return name + "{cluster=\"prod\",profile=\"default\"} " + value;
    }

    private static String phaseCount(String phase, int count) {
        return "kafka_canary_phase_latency_seconds_count{cluster=\"prod\",leader=\"1\",phase=\""
                + phase
                + "\",profile=\"default\"} "
                + count;
    }

    @Test
    void theEndToEndHistogramIsNativeToOnePerCentAndClassicWithTheTargetAsABoundary()
            throws Exception {
        ledger.lead(0, 1);
        Probe probe = ledger.scheduled(0, 0);
        ledger.delivered(0, probe.sequence(), new Delivery(50_000_000, Delivery.NO_APPEND_TIME, 0));

        assertThat(text())
                .contains(
                        "kafka_canary_end_to_end_latency_seconds_bucket{cluster=\"prod\",leader=\"1\",profile=\"default\",le=\"0.05\"}"
                            + " 1",
                        "kafka_canary_end_to_end_latency_seconds_bucket{cluster=\"prod\",leader=\"1\",profile=\"default\",le=\"0.04\"}"
                            + " 0");
        HistogramSnapshot.HistogramDataPointSnapshot point = endToEnd();
        assertThat(point.getNativeSchema()).isEqualTo(6);
        double upper =
                Math.pow(2, point.getNativeBucketsForPositiveValues().getBucketIndex(0) / 64.0);
        double lower = upper / Math.pow(2, 1 / 64.0);
        assertThat(Math.sqrt(upper * lower)).isCloseTo(0.05, within(0.05 * 0.0055));
    }

    @Test
    void theNativeHistogramStaysPreciseOverTheWholeRange() {
        ledger.lead(0, 1);
        for (double latency = 1e-4; latency < 59; latency *= 1.01) {
            Probe probe = ledger.scheduled(0, 0);
            ledger.delivered(
                    0,
                    probe.sequence(),
                    new Delivery((long) (latency * 1e9), Delivery.NO_APPEND_TIME, 0));
        }

        assertThat(endToEnd().getNativeSchema()).isEqualTo(6);
    }

    @Test
    void aSlowProbesIdIsTheExemplarOfItsLatencyAndItsPhases() throws Exception {
        ledger.lead(3, 1);
        Probe probe = ledger.scheduled(3, 0);
        ledger.settled(probe, new SendResult(List.of(), 1, 1, List.of(), 0, 0, 0));
        ledger.delivered(3, 0, new Delivery(70_000_000, Delivery.NO_APPEND_TIME, 0));

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
    void anExemplarLeadsToATraceWhereThereAreTraces() throws Exception {
        TraceRule traces = new TraceRule(0xfeed, TARGET, 0);
        Ledger traced =
                new Ledger(
                        TARGET,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(60),
                        leader ->
                                prod.leader(
                                        leader,
                                        new RecentWindow(System::nanoTime, false),
                                        nanos -> false,
                                        TARGET,
                                        0xfeed,
                                        traces),
                        PositionalBreakdowns.INSTANCE,
                        ProbeWitness.NONE);
        traced.lead(3, 1);
        for (long latency : List.of(40_000_000L, 70_000_000L)) {
            Probe probe = traced.scheduled(3, 0);
            traced.settled(probe, new SendResult(List.of(), 1, 1, List.of(), 0, 0, 0));
            traced.delivered(
                    3, probe.sequence(), new Delivery(latency, Delivery.NO_APPEND_TIME, 0));
        }

        assertThat(text().lines().filter(line -> line.contains(" # {")))
                .as("of the slow one alone, end to end and five phases")
                .hasSize(6)
                .allMatch(
                        line ->
                                line.contains(
                                        "# {probe_id=\"000000000000feed-3-1\",trace_id=\""
                                                + TraceId.of(0xfeed, 3, 1)
                                                + "\"} "));
    }

    @Test
    void theSeriesOfALeaderThatIsForgottenEndAndBeginAtZeroWhenItComesBack() throws Exception {
        ledger.lead(0, 1);
        ledger.delivered(
                0,
                ledger.scheduled(0, 0).sequence(),
                new Delivery(2_000_000_000, Delivery.NO_APPEND_TIME, 0));
        String count = series("kafka_canary_end_to_end_latency_seconds_count", "", "");
        assertThat(text()).contains(count + "1");
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
        assertThat(text()).contains(count + "0");
    }

    @Test
    void oneScrapeShowsOneReadingOfTheLedger() throws Exception {
        ledger.lead(0, 1);
        ledger.scheduled(0, 0);
        ledger.delivered(
                0, ledger.scheduled(0, 0).sequence(), new Delivery(1, Delivery.NO_APPEND_TIME, 0));

        assertThat(text())
                .contains(
                        series("kafka_canary_probes_scheduled_total", "", "2.0"),
                        series("kafka_canary_probes_total", "outcome=\"delivered\",", "1.0"),
                        series("kafka_canary_probes_in_flight", "", "1.0"));
    }

    private HistogramSnapshot.HistogramDataPointSnapshot endToEnd() {
        return ((HistogramSnapshot)
                        registry.scrape(name -> name.startsWith("kafka_canary_end_to_end")).get(0))
                .getDataPoints()
                .get(0);
    }

    private static String series(String name, String extra, String value) {
        return name + "{cluster=\"prod\",leader=\"1\"," + extra + "profile=\"default\"} " + value;
    }

    private static String slowSeconds(String phase, String value) {
        return "kafka_canary_slow_probes_phase_seconds_total{cluster=\"prod\",leader=\"1\",phase=\""
                + phase
                + "\",profile=\"default\"} "
                + value;
    }

    private String text() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        OpenMetricsTextFormatWriter.create().write(out, registry.scrape());
        return out.toString(StandardCharsets.UTF_8);
    }

    private List<ProfileSnapshot> snapshots() {
        return List.of(snapshot());
    }

    /** How the profile stands now, by its ledger. */
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
                List.of(new ProfileSnapshot.BrokerTiming(1, 0.5, 0.0003, 2, Double.NaN, 0.002)),
                8,
                Optional.of(new LaneCounts(8, 0, 0)),
                mirror);
    }

    private static Breakdown split(
            long produce, long publish, long commit, long catchUp, long fetch) {
        return split(produce, publish, commit, 0, catchUp, fetch);
    }

    private static Breakdown split(
            long produce, long publish, long commit, long mirror, long catchUp, long fetch) {
        return new Breakdown(
                new Instants(0, 0, 0, 0, 0, 0),
                new PhaseBreakdown(produce, publish, commit, mirror, catchUp, fetch));
    }

    @Test
    void whoToldThePhasesAndHowFarTheEstimateWasOffIsShown() throws Exception {
        LatencyRecorder recorder =
                prod.leader(
                        1, new RecentWindow(System::nanoTime, false), n -> false, TARGET, 1, null);
        ledger.lead(0, 1);
        Probe probe = ledger.scheduled(0, 0);
        recorder.phases(probe, split(0, 1, 1, 0, 0));
        assertThat(text())
                .contains(source("broker", "0.0"), source("estimate", "1.0"))
                .doesNotContain("estimate_error_seconds_count{");

        Passage passage = new Passage(0, 0, 0, 0, new TreeMap<>(), 0, 0);
        recorder.phases(
                probe,
                new Breakdown(
                        new Instants(0, 0, 0, 0, 0, 0),
                        new PhaseBreakdown(0, 3_000_000_000L, 1_000_000_000, 0, 0),
                        Optional.of(
                                new Breakdown.Marked(
                                        passage,
                                        1,
                                        new PhaseBreakdown(0, 1_000_000_000, 3_000_000_000L, 0, 0),
                                        true))));
        assertThat(text())
                .contains(
                        source("broker", "1.0"),
                        source("estimate", "0.0"),
                        error("publish", "under", "2.0"),
                        error("commit", "over", "2.0"))
                .containsPattern("misestimated_probes_total\\{.*} 1.0");
        prod.unmarked(1, Unmarked.NO_MARK);
        assertThat(text()).contains("kafka_canary_unmarked_probes_total{");
        prod.forget(1);
        assertThat(text())
                .doesNotContain(
                        "unmarked_probes_total{",
                        "misestimated_probes_total{",
                        "phase_source{",
                        "error_seconds_sum{");
    }

    private static String source(String source, String value) {
        return "kafka_canary_phase_source{cluster=\"prod\",leader=\"1\",profile=\"default\",source=\""
                + source
                + "\"} "
                + value;
    }

    private static String error(String phase, String sign, String value) {
        return "kafka_canary_phase_estimate_error_seconds_sum{cluster=\"prod\",leader=\"1\",phase=\""
                + phase
                + "\",profile=\"default\",sign=\""
                + sign
                + "\"} "
                + value;
    }
}
