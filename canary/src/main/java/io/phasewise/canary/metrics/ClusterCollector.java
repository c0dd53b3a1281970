/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.metrics;

import io.phasewise.canary.ledger.LeaderCounts;
import io.phasewise.canary.ledger.Outcome;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Turns the ledgers' counts into series at the moment of a scrape, all from one reading per
 * cluster, so that in every single scrape scheduled = outcomes + in flight. Latency histograms are
 * left to {@link CanaryMetrics}.
 */
final class ClusterCollector implements MultiCollector {
    private final Supplier<? extends List<? extends ClusterView>> clusters;
    private final Labels everywhere;

    /**
     * @param everywhere labels that all series carry, beside their own
     */
    ClusterCollector(Supplier<? extends List<? extends ClusterView>> clusters, Labels everywhere) {
        this.clusters = clusters;
        this.everywhere = everywhere;
    }

    @Override
    public MetricSnapshots collect() {
        Families families = new Families();
        for (ClusterView view : clusters.get()) {
            Labels cluster =
                    everywhere.merge(
                            Labels.of("cluster", view.cluster(), "profile", view.profile()));
            view.counts().forEach(counts -> families.add(cluster, counts));
            view.leaders()
                    .forEach(
                            l ->
                                    families.leaders.dataPoint(
                                            gauge(
                                                    cluster.add(
                                                                    "partition",
                                                                    String.valueOf(l.partition()))
                                                            .add(
                                                                    "leader",
                                                                    String.valueOf(l.leader()))
                                                            .add(
                                                                    "preferred",
                                                                    String.valueOf(l.preferred())),
                                                    1)));
            families.add(cluster, view.mirror());
            view.timings().forEach(timing -> families.add(cluster, timing));
            view.lanes()
                    .forEach(
                            (state, lanes) ->
                                    families.lanes.dataPoint(
                                            gauge(cluster.add("state", state), lanes)));
            Labels settings = cluster;
            for (var setting : view.settings().entrySet()) {
                settings = settings.add(setting.getKey(), setting.getValue());
            }
            families.settings.dataPoint(gauge(settings, 1));
            families.target.dataPoint(gauge(cluster, view.sloTargetSeconds()));
            families.objective.dataPoint(gauge(cluster, view.sloObjective()));
        }
        return families.snapshots();
    }

    private static GaugeDataPointSnapshot gauge(Labels labels, double value) {
        return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
    }

    private static CounterDataPointSnapshot counter(Labels labels, long value) {
        return CounterDataPointSnapshot.builder().labels(labels).value(value).build();
    }

    /** One scrape's families, filled cluster by cluster. */
    private static final class Families {
        private final CounterSnapshot.Builder scheduled =
                CounterSnapshot.builder()
                        .name("kafka_canary_probes_scheduled")
                        .help("Probes that were due, by the broker that led their partition then.");
        private final CounterSnapshot.Builder outcomes =
                CounterSnapshot.builder()
                        .name("kafka_canary_probes")
                        .help(
                                "Probes by outcome: delivered within the deadline, late, lost (not"
                                    + " seen within the loss horizon), send_failed. Every scheduled"
                                    + " probe ends in exactly one.");
        private final GaugeSnapshot.Builder inFlight =
                GaugeSnapshot.builder()
                        .name("kafka_canary_probes_in_flight")
                        .help("Scheduled probes that have no outcome yet.");
        private final CounterSnapshot.Builder duplicates =
                CounterSnapshot.builder()
                        .name("kafka_canary_duplicates")
                        .help("Deliveries of a probe that had been delivered before.");
        private final CounterSnapshot.Builder outOfOrder =
                CounterSnapshot.builder()
                        .name("kafka_canary_out_of_order")
                        .help(
                                "Probes at a lower offset than one of their partition that had been"
                                        + " acknowledged before they were sent.");
        private final CounterSnapshot.Builder resurfaced =
                CounterSnapshot.builder()
                        .name("kafka_canary_resurfaced")
                        .help(
                                "Deliveries of a probe that had ended as lost or send_failed. Its"
                                        + " outcome stays; its latency is observed.");
        private final CounterSnapshot.Builder slo =
                CounterSnapshot.builder()
                        .name("kafka_canary_slo_probes")
                        .help(
                                "Probes by SLO verdict: good when delivered within the target, bad"
                                        + " otherwise. A good probe counts at once. A bad one"
                                        + " counts when it comes back, at the deadline at the"
                                        + " latest.");
        private final CounterSnapshot.Builder stalledBad =
                CounterSnapshot.builder()
                        .name("kafka_canary_stalled_bad_probes")
                        .help(
                                "Bad probes that would have been good without stalls of the"
                                    + " canary's own process: their time less its stalls of more"
                                    + " than 20 ms is within the target. Counted with the bad"
                                    + " verdict.");
        private final GaugeSnapshot.Builder target =
                GaugeSnapshot.builder()
                        .name("kafka_canary_slo_target_seconds")
                        .help("A probe delivered within this is good.");
        private final GaugeSnapshot.Builder objective =
                GaugeSnapshot.builder()
                        .name("kafka_canary_slo_objective_ratio")
                        .help("The share of probes that should be good.");
        private final GaugeSnapshot.Builder leaders =
                GaugeSnapshot.builder()
                        .name("kafka_canary_partition_leader_info")
                        .help(
                                "1 for the leader of each probed partition; preferred says whether"
                                        + " it should be.");
        private final GaugeSnapshot.Builder settings =
                GaugeSnapshot.builder()
                        .name("kafka_canary_config_info")
                        .help("1, with the settings that shape latency as labels.");

        private final GaugeSnapshot.Builder clockOffset =
                GaugeSnapshot.builder()
                        .name("kafka_canary_clock_offset_seconds")
                        .help("The broker's wall clock minus the canary's, as the probes show it.");
        private final GaugeSnapshot.Builder clockUncertainty =
                GaugeSnapshot.builder()
                        .name("kafka_canary_clock_uncertainty_seconds")
                        .help(
                                "How far the estimate of the broker's clock can be off; the"
                                    + " boundary of publish and commit is not known any better.");
        private final CounterSnapshot.Builder clockSteps =
                CounterSnapshot.builder()
                        .name("kafka_canary_clock_steps")
                        .help("Times that the broker's clock contradicted what it had shown.");
        private final GaugeSnapshot.Builder oneWayDelay =
                GaugeSnapshot.builder()
                        .name("kafka_canary_network_one_way_delay_seconds")
                        .help(
                                "Estimated one-way network delay, broker to canary: half the"
                                    + " minimum ApiVersions round trip over 60 s, plus any recent"
                                    + " increase on the return path.");
        private final GaugeSnapshot.Builder mirrorLeaders =
                GaugeSnapshot.builder()
                        .name("kafka_canary_mirror_partition_leader_info")
                        .help(
                                "1 for each probed partition of a mirrored profile: its leader in"
                                    + " the cluster that probes are sent to, and in the one that"
                                    + " they are read in.");
        private final GaugeSnapshot.Builder mirrorUncertainty =
                GaugeSnapshot.builder()
                        .name("kafka_canary_mirror_uncertainty_seconds")
                        .help(
                                "How far the instant can be off at which probes of a mirrored"
                                    + " profile reached the log of the target cluster: the end of"
                                    + " mirror is not known any better.");
        private final GaugeSnapshot.Builder lanes =
                GaugeSnapshot.builder()
                        .name("kafka_canary_lanes")
                        .help(
                                "Producers that carry the probes, by state: ready, warming (being"
                                        + " connected), draining (about to be closed).");

        void add(Labels cluster, ClusterView.BrokerTiming timing) {
            Labels broker = cluster.add("broker", String.valueOf(timing.broker()));
            addKnown(clockOffset, broker, timing.clockOffset());
            addKnown(clockUncertainty, broker, timing.clockUncertainty());
            addKnown(oneWayDelay, broker, timing.oneWayDelay());
            clockSteps.dataPoint(counter(broker, timing.clockSteps()));
        }

        void add(Labels cluster, List<ClusterView.MirrorLeader> mirrored) {
            // A leader may have several partitions, and has one series.
            Map<Integer, Double> worst = new TreeMap<>();
            for (ClusterView.MirrorLeader mirror : mirrored) {
                mirrorLeaders.dataPoint(
                        gauge(
                                cluster.add("leader", String.valueOf(mirror.leader()))
                                        .add("partition", String.valueOf(mirror.partition()))
                                        .add(
                                                "target_leader",
                                                String.valueOf(mirror.targetLeader())),
                                1));
                if (!Double.isNaN(mirror.uncertainty())) {
                    worst.merge(mirror.leader(), mirror.uncertainty(), Math::max);
                }
            }
            worst.forEach(
                    (leader, uncertainty) ->
                            mirrorUncertainty.dataPoint(
                                    gauge(
                                            cluster.add("leader", String.valueOf(leader)),
                                            uncertainty)));
        }

        private static void addKnown(GaugeSnapshot.Builder to, Labels labels, double value) {
            if (!Double.isNaN(value)) {
                to.dataPoint(gauge(labels, value));
            }
        }

        void add(Labels cluster, LeaderCounts counts) {
            Labels leader = cluster.add("leader", String.valueOf(counts.leader()));
            scheduled.dataPoint(counter(leader, counts.scheduled()));
            for (Outcome outcome : Outcome.values()) {
                outcomes.dataPoint(
                        counter(leader.add("outcome", outcome.label()), counts.outcome(outcome)));
            }
            inFlight.dataPoint(gauge(leader, counts.inFlight()));
            duplicates.dataPoint(counter(leader, counts.duplicates()));
            outOfOrder.dataPoint(counter(leader, counts.outOfOrder()));
            resurfaced.dataPoint(counter(leader, counts.resurfaced()));
            slo.dataPoint(counter(leader.add("verdict", "good"), counts.good()));
            slo.dataPoint(counter(leader.add("verdict", "bad"), counts.bad()));
            stalledBad.dataPoint(counter(leader, counts.stalledBad()));
        }

        MetricSnapshots snapshots() {
            return MetricSnapshots.of(
                    scheduled.build(),
                    outcomes.build(),
                    inFlight.build(),
                    duplicates.build(),
                    outOfOrder.build(),
                    resurfaced.build(),
                    slo.build(),
                    stalledBad.build(),
                    target.build(),
                    objective.build(),
                    clockOffset.build(),
                    clockUncertainty.build(),
                    clockSteps.build(),
                    oneWayDelay.build(),
                    mirrorUncertainty.build(),
                    mirrorLeaders.build(),
                    lanes.build(),
                    leaders.build(),
                    settings.build());
        }
    }
}
