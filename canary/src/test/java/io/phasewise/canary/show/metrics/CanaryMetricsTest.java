/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.canary.account.Accounts;
import io.phasewise.canary.marks.MissingMarkReason;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.LeaderInstants;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Ledgers;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.show.series.ScrapedSeries;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.show.status.MadeUpStatus;
import io.phasewise.canary.show.status.ProfileSnapshot;
import io.phasewise.canary.show.status.ProfileSnapshot.PartitionLeader;
import io.phasewise.canary.show.trace.TraceId;
import io.phasewise.canary.show.trace.TraceRule;
import io.phasewise.common.phase.Phase;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
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
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;

class CanaryMetricsTest {
    private static final Duration TARGET = Duration.ofMillis(50);
    private static final long SECOND = 1_000_000_000;

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final CanaryMetrics metrics = metrics(registry, Labels.EMPTY);
    private final ClusterMetrics prod = metrics.cluster("prod", "default");
    private final Ledger ledger = ledger(null);

    @Test
    void everySeriesOfABrokerExistsAtZero() {
        ledger.open(1);

        shows("""
                probes_scheduled_total{leader=1} 0
                probes_total{leader=1,outcome=delivered} 0
                probes_total{leader=1,outcome=late} 0
                probes_total{leader=1,outcome=lost} 0
                probes_total{leader=1,outcome=send_failed} 0
                probes_in_flight{leader=1} 0
                probes_overdue{leader=1} 0
                outage_suspected{} 0
                duplicates_total{leader=1} 0
                out_of_order_total{leader=1} 0
                resurfaced_total{leader=1} 0
                slo_probes_total{leader=1,verdict=good} 0
                slo_probes_total{leader=1,verdict=bad} 0
                stalled_probes_total{leader=1} 0
                stalled_bad_probes_total{leader=1} 0
                end_to_end_latency_seconds_count{leader=1} 0
                producer_latency_seconds_count{leader=1} 0
                consumer_latency_seconds_count{leader=1} 0
                schedule_lag_seconds_count{} 0
                lane_wait_seconds_count{} 0
                hiccup_seconds_count{} 0
                ignored_records_total{reason=foreign} 0
                ignored_records_total{reason=other_canary} 0
                """);
        for (Phase phase : Phase.values()) {
            shows("phase_latency_seconds_count{leader=1,phase=%s} 0".formatted(phase.label()));
            shows("slow_probes_phase_seconds_total{leader=1,phase=%s} 0".formatted(phase.label()));
        }
    }

    @Test
    void aTimeOutThatKafkaExplainsCountsAsWhatExplainsIt() {
        prod.error(
                "producer",
                new TimeoutException(
                        "Topic phasewise-canary not present in metadata after 0 ms.",
                        new UnknownTopicOrPartitionException("no such topic")));
        prod.error("producer", new TimeoutException("Expiring 1 record(s)"));

        shows("""
                errors_total{client=producer,error=UnknownTopicOrPartitionException} 1
                errors_total{client=producer,error=TimeoutException} 1
                """);
    }

    @Test
    void aSnapshotOfTheProfileIsShownAndWhatIsNotKnownIsNot() {
        shows("""
                slo_target_seconds{} 0.05
                slo_objective_ratio{} 0.99
                paused{} 0
                partition_leader_info{leader=1,partition=0,preferred=true} 1
                config_info{acks=all} 1
                lanes{state=ready} 8
                clock_offset_seconds{broker=1} 0.5
                clock_uncertainty_seconds{broker=1} 0.0003
                clock_steps_total{broker=1} 2
                network_round_trip_seconds{broker=1} 0.002
                pings_total{broker=1} 70
                ping_seconds_total{broker=1} 0.21
                broker_reachable{broker=1} 1
                broker_reachable{broker=2} 0
                """);
        showsNo("kafka_canary_network_one_way_delay_seconds{");
    }

    @Test
    void aSiteIsOnEverySeries() {
        PrometheusRegistry elsewhere = new PrometheusRegistry();
        ClusterMetrics atSite = metrics(elsewhere, Labels.of("site", "fra-1")).cluster("prod", "default");
        ledger.open(1);
        recorder(atSite, null);
        atSite.joinsGroup();
        atSite.error("admin", new IllegalStateException());

        assertThat(elsewhere.scrape().stream().flatMap(of -> of.getDataPoints().stream()))
                .hasSizeGreaterThan(30)
                .allMatch(point -> "fra-1".equals(point.getLabels().get("site")));
    }

    @Test
    void phasesGoToTheirSeriesThoseOfSlowProbesToAnotherAndStallsOfTheCanaryAreCounted() {
        LeaderRecorder recorder =
                prod.leader(1, new RecentWindow(System::nanoTime), nanos -> nanos > 5, TARGET, 1, null);
        Probe probe = probe();
        recorder.endToEnd(probe, 5);
        recorder.endToEnd(probe, 6);
        recorder.phases(Ledgers.trip(probe), split(0, TARGET.toNanos(), 0, 0, 0));
        shows("""
                stalled_probes_total{leader=1} 1
                phase_latency_seconds_sum{leader=1,phase=publish} 0.05
                slow_probes_phase_seconds_total{leader=1,phase=publish} 0
                """);
        recorder.phases(Ledgers.trip(probe), split(SECOND, 0, 2 * SECOND, SECOND / 4, SECOND / 2));
        shows("""
                phase_latency_seconds_count{leader=1,phase=catch_up} 2
                phase_latency_seconds_sum{leader=1,phase=commit} 2
                consumer_latency_seconds_sum{leader=1} 0.75
                slow_probes_phase_seconds_total{leader=1,phase=produce} 1
                slow_probes_phase_seconds_total{leader=1,phase=publish} 0
                slow_probes_phase_seconds_total{leader=1,phase=fetch} 0.5
                """);
    }

    @Test
    void nanosecondsOfAPhaseThatTakesNoTimeGoToTheZeroBucketAndLeaveTheResolution() {
        LeaderRecorder recorder = recorder(prod, null);
        Probe probe = probe();
        // Every bucket from 1 ns to 60 s: 2,290 of them.
        for (double nanos = 1; nanos < 60e9; nanos *= 1.01) {
            recorder.phases(Ledgers.trip(probe), split((long) nanos, 0, 0, 0, 0));
        }

        HistogramDataPointSnapshot produce = histogram("kafka_canary_phase_latency_seconds")
                .filter(point -> "produce".equals(point.getLabels().get("phase")))
                .findFirst()
                .orElseThrow();
        assertThat(produce.getNativeSchema()).isEqualTo(6);
        assertThat(produce.getNativeZeroThreshold()).isEqualTo(1e-5);
        assertThat(produce.getNativeZeroCount()).isGreaterThan(900);
    }

    @Test
    void onlyTimeInWhichTheProcessStoodStillAddsUp() {
        metrics.hiccup(20_000_000);
        shows("stalled_seconds_total{} 0");

        metrics.hiccup(250_000_000);
        metrics.hiccup(500_000_000);

        shows("stalled_seconds_total{} 0.75\nhiccup_seconds_count{} 3");
    }

    @Test
    void commitsAndRebalancesAreCountedFromZeroForAMemberOfAGroupOnly() {
        showsNo("kafka_canary_offset_commit_latency_seconds_count", "canary_rebalances_total{");
        prod.joinsGroup();
        shows("offset_commit_latency_seconds_count{} 0\nrebalances_total{} 0");
        prod.committed(3_000_000);
        prod.rebalanced(2 * SECOND);
        shows("""
                offset_commit_latency_seconds_sum{} 0.003
                rebalances_total{} 1
                rebalance_latency_seconds_sum{} 2
                """);
    }

    @Test
    void theEndToEndHistogramIsNativeToOnePerCentAndClassicWithTheTargetAsABoundary() {
        deliver(ledger, 0, TARGET.toNanos());

        shows("""
                end_to_end_latency_seconds_bucket{leader=1,le=0.05} 1
                end_to_end_latency_seconds_bucket{leader=1,le=0.04} 0
                """);
        HistogramDataPointSnapshot point = endToEnd();
        assertThat(point.getNativeSchema()).isEqualTo(6);
        double upper = Math.pow(2, point.getNativeBucketsForPositiveValues().getBucketIndex(0) / 64.0);
        double lower = upper / Math.pow(2, 1 / 64.0);
        assertThat(Math.sqrt(upper * lower)).isCloseTo(0.05, within(0.05 * 0.0055));
    }

    @Test
    void aSlowProbesIdAndItsTraceAreTheExemplarOfItsLatencyAndItsPhases() {
        Ledger traced = ledger(new TraceRule(0xfeed, TARGET, 0));
        deliver(traced, 3, 40_000_000);
        deliver(traced, 3, 70_000_000);
        String id = "probe_id=\"000000000000feed-3-1\",trace_id=\"%s\"";
        String exemplar = " # {" + id.formatted(TraceId.of(0xfeed, 3, 1)) + "} ";
        assertThat(text().lines().filter(line -> line.contains(" # {")))
                .as("of the slow one alone, end to end and in each phase")
                .hasSize(6)
                .allMatch(line -> line.contains(exemplar))
                .anyMatch(line -> line.contains("end_to_end_latency_seconds_bucket{")
                        && line.contains("le=\"0.08\"} 2" + exemplar + "0.07"))
                .anyMatch(line -> line.contains("phase=\"fetch\""));
        assertThat(endToEnd().getExemplars().size()).as("of the native form").isEqualTo(1);
    }

    @Test
    void withoutTracesTheExemplarIsTheProbesIdAlone() {
        deliver(ledger, 3, 70_000_000);
        assertThat(text()).contains("le=\"0.08\"} 1 # {probe_id=\"000000000000feed-3-0\"} 0.07");
    }

    @Test
    void theSeriesOfALeaderThatIsForgottenEndAndBeginAtZeroWhenItComesBack() {
        deliver(ledger, 0, 2 * SECOND);
        shows("end_to_end_latency_seconds_count{leader=1} 1");
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
        shows("end_to_end_latency_seconds_count{leader=1} 0");
    }

    @Test
    void whoToldThePhasesAndHowFarTheEstimateWasOffIsShown() {
        LeaderRecorder recorder = recorder(prod, null);
        Probe probe = probe();
        recorder.phases(Ledgers.trip(probe), split(0, 1, 1, 0, 0));
        shows("phase_source{leader=1,source=broker} 0\nphase_source{leader=1,source=estimate} 1");
        showsNo("estimate_error_seconds_count{");

        Breakdown.Marked marked = new Breakdown.Marked(
                new LeaderInstants(0, 0, 0, 0, new TreeMap<>(), 0, 0),
                1,
                new PhaseBreakdown(0, SECOND, 3 * SECOND, 0, 0),
                true);
        Breakdown told = split(0, 3 * SECOND, SECOND, 0, 0);
        recorder.phases(
                Ledgers.trip(probe), Accounts.with(new Breakdown(told.instants(), told.phases(), Optional.of(marked))));
        prod.unmarked(MissingMarkReason.NO_MARK, 1);
        shows("""
                phase_source{leader=1,source=broker} 1
                phase_source{leader=1,source=estimate} 0
                phase_estimate_error_seconds_sum{leader=1,phase=publish,sign=under} 2
                phase_estimate_error_seconds_sum{leader=1,phase=commit,sign=over} 2
                misestimated_probes_total{leader=1} 1
                unmarked_probes_total{leader=1,reason=no_mark} 1
                """);

        prod.forget(1);
        showsNo("unmarked_probes_total{", "misestimated_probes_total{", "phase_source{", "error_seconds_sum{");
    }

    private CanaryMetrics metrics(PrometheusRegistry in, Labels everywhere) {
        return new CanaryMetrics(
                new SeriesRegistry(in, everywhere, List.of(0.05)), Duration.ofMillis(20), () -> List.of(snapshot()));
    }

    private Ledger ledger(TraceRule traces) {
        return new Ledgers()
                .recorders(leader -> recorder(prod, traces))
                .reader((trip, breakdown) -> recorder(prod, traces).phases(trip, breakdown))
                .make();
    }

    /** Of broker 1. */
    private static LeaderRecorder recorder(ClusterMetrics of, TraceRule traces) {
        return of.leader(1, new RecentWindow(System::nanoTime), nanos -> false, TARGET, 0xfeed, traces);
    }

    private Probe probe() {
        ledger.lead(0, 1);
        return ledger.scheduled(0, 0);
    }

    private static void deliver(Ledger ledger, int partition, long latency) {
        ledger.lead(partition, 1);
        Probe probe = ledger.scheduled(partition, 0);
        ledger.reported(probe, Ledgers.acknowledged(0, 0));
        Ledgers.deliver(ledger, probe, latency, 0);
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

    /** Lines of a series' name after kafka_canary_, with its labels, a blank and its value. */
    private void shows(String lines) {
        Map<String, Double> scraped = scraped();
        lines.lines()
                .map(line -> line.split(" "))
                .forEach(series ->
                        assertThat(scraped).containsEntry("kafka_canary_" + series[0], Double.valueOf(series[1])));
    }

    private void showsNo(String... parts) {
        assertThat(text()).doesNotContain(parts);
    }

    private ProfileSnapshot snapshot() {
        return MadeUpStatus.snapshot(
                Map.of("acks", "all"),
                List.of(new PartitionLeader(0, 1, true)),
                ledger,
                new ProfileSnapshot.BrokerTiming(1, 0.5, 0.0003, 2, Double.NaN, 0.002, 70, 0.21));
    }

    private static Breakdown split(long produce, long publish, long commit, long catchUp, long fetch) {
        return Accounts.with(new Breakdown(
                new Instants(0, 0, 0, 0, 0, 0), new PhaseBreakdown(produce, publish, commit, catchUp, fetch)));
    }
}
