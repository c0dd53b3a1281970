/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import io.phasewise.canary.probe.ledger.LeaderCounts;
import io.phasewise.canary.probe.ledger.Outcome;
import io.phasewise.canary.send.LaneCounts;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.show.status.ProfileSnapshot;
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
    private final Supplier<List<ProfileSnapshot>> profiles;
    private final Labels everywhere;

    /**
     * @param profiles how they stand now
     * @param everywhere labels that all series carry, beside their own
     */
    ClusterCollector(Supplier<List<ProfileSnapshot>> profiles, Labels everywhere) {
        this.profiles = profiles;
        this.everywhere = everywhere;
    }

    @Override
    public MetricSnapshots collect() {
        Families families = new Families();
        profiles.get().forEach(profile -> families.add(everywhere, profile));
        return families.snapshots();
    }

    private static GaugeSnapshot.Builder gaugeFamily(String name, String help) {
        return GaugeSnapshot.builder().name(name).help(help);
    }

    private static CounterSnapshot.Builder counterFamily(String name, String help) {
        return CounterSnapshot.builder().name(name).help(help);
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
                counterFamily(
                        "kafka_canary_probes_scheduled",
                        "Probes that were due, by the broker that led their partition at that"
                                + " time.");
        private final CounterSnapshot.Builder outcomes =
                counterFamily(
                        "kafka_canary_probes",
                        "Probes by outcome: delivered (within the deadline), late, lost (not seen"
                            + " within the loss horizon), send_failed. Every scheduled probe ends"
                            + " in exactly one. scheduled = outcomes + in flight.");
        private final GaugeSnapshot.Builder inFlight =
                gaugeFamily(
                        "kafka_canary_probes_in_flight",
                        "Scheduled probes that have no outcome yet.");
        private final GaugeSnapshot.Builder overdue =
                gaugeFamily(
                        "kafka_canary_probes_overdue",
                        "Probes in flight for longer than 20 times the SLO target, or than the"
                            + " deadline if that is shorter. Pauses of the canary's own process do"
                            + " not count.");
        private final GaugeSnapshot.Builder suspected =
                gaugeFamily(
                        "kafka_canary_outage_suspected",
                        "1 while a sequential test finds that the probes of most leaders do not"
                                + " come back, else 0. It knows before their deadline.");
        private final CounterSnapshot.Builder duplicates =
                counterFamily(
                        "kafka_canary_duplicates",
                        "Deliveries of a probe that had been delivered before.");
        private final CounterSnapshot.Builder outOfOrder =
                counterFamily(
                        "kafka_canary_out_of_order",
                        "Probes at a lower offset than a probe of their partition that was"
                                + " acknowledged before they were sent.");
        private final CounterSnapshot.Builder resurfaced =
                counterFamily(
                        "kafka_canary_resurfaced",
                        "Deliveries of a probe that had ended as lost or send_failed. Its outcome"
                                + " stays; its latency is observed.");
        private final CounterSnapshot.Builder slo =
                counterFamily(
                        "kafka_canary_slo_probes",
                        "Probes by SLO verdict: good when delivered within the target, otherwise"
                            + " bad. A good probe counts at once. A bad one counts when it comes"
                            + " back, at the deadline at the latest.");
        private final CounterSnapshot.Builder stalledBad =
                counterFamily(
                        "kafka_canary_stalled_bad_probes",
                        "Bad probes that would have been good without pauses of the canary's own"
                            + " process: latency less the pauses of more than 20 ms is within the"
                            + " target.");
        private final GaugeSnapshot.Builder target =
                gaugeFamily(
                        "kafka_canary_slo_target_seconds",
                        "SLO target: a probe delivered within this time is good.");
        private final GaugeSnapshot.Builder objective =
                gaugeFamily(
                        "kafka_canary_slo_objective_ratio",
                        "SLO objective: the share of probes that should be good.");
        private final GaugeSnapshot.Builder paused =
                gaugeFamily(
                        "kafka_canary_paused",
                        "1 while the canary is asked to send nothing (pause-file), else 0.");
        private final GaugeSnapshot.Builder leaders =
                gaugeFamily(
                        "kafka_canary_partition_leader_info",
                        "1 for the leader of each probed partition. preferred: whether it is the"
                                + " preferred leader.");
        private final GaugeSnapshot.Builder settings =
                gaugeFamily(
                        "kafka_canary_config_info",
                        "1, with the settings that shape latency as further labels, among them"
                                + " acks, linger_ms, compression, replication_factor.");

        private final GaugeSnapshot.Builder clockOffset =
                gaugeFamily(
                        "kafka_canary_clock_offset_seconds",
                        "The broker's wall clock minus the canary's, estimated from probes.");
        private final GaugeSnapshot.Builder clockUncertainty =
                gaugeFamily(
                        "kafka_canary_clock_uncertainty_seconds",
                        "Error bound of the estimate of the broker's clock. The boundary between"
                                + " publish and commit is not known more precisely.");
        private final CounterSnapshot.Builder clockSteps =
                counterFamily(
                        "kafka_canary_clock_steps",
                        "Steps of the broker's clock: readings that contradict the earlier ones.");
        private final GaugeSnapshot.Builder oneWayDelay =
                gaugeFamily(
                        "kafka_canary_network_one_way_delay_seconds",
                        "Estimated one-way network delay, broker to canary: half the minimum"
                            + " ApiVersions round trip over 20 min, plus any recent increase on the"
                            + " return path.");
        private final GaugeSnapshot.Builder roundTrip =
                gaugeFamily(
                        "kafka_canary_network_round_trip_seconds",
                        "Minimum ApiVersions round trip to the broker over the last two seconds. It"
                                + " grows when either direction becomes slower.");
        private final GaugeSnapshot.Builder mirrorLeaders =
                gaugeFamily(
                        "kafka_canary_mirror_partition_leader_info",
                        "1 for each probed partition of a mirrored profile: its leader in the"
                            + " cluster that probes are sent to, and target_leader in the cluster"
                            + " that they are read in.");
        private final GaugeSnapshot.Builder mirrorUncertainty =
                gaugeFamily(
                        "kafka_canary_mirror_uncertainty_seconds",
                        "Error bound of the end of the time in the mirror: when a probe reached the"
                                + " log of the target cluster. Mirrored profiles only.");
        private final GaugeSnapshot.Builder lanes =
                gaugeFamily(
                        "kafka_canary_lanes",
                        "Producers that send the probes (lanes), by state: ready, warming"
                                + " (connecting), draining (about to be closed).");

        void add(Labels everywhere, ProfileSnapshot profile) {
            ProfileSnapshot.Facts facts = profile.facts();
            Labels cluster =
                    everywhere.merge(
                            Labels.of("cluster", facts.cluster(), "profile", facts.profile()));
            profile.counts().forEach(counts -> add(cluster, counts));
            suspected.dataPoint(gauge(cluster, profile.outageSuspected() ? 1 : 0));
            profile.leaders().forEach(leader -> add(cluster, leader));
            if (profile.mirror() != null) {
                addMirror(cluster, profile);
            }
            profile.clocks().forEach(clock -> add(cluster, clock));
            profile.lanes().ifPresent(counts -> add(cluster, counts));
            Labels settingsOf = cluster;
            for (var setting : facts.settings().entrySet()) {
                settingsOf = settingsOf.add(setting.getKey(), setting.getValue());
            }
            settings.dataPoint(gauge(settingsOf, 1));
            target.dataPoint(gauge(cluster, facts.sloTargetSeconds()));
            objective.dataPoint(gauge(cluster, facts.sloObjective()));
            boolean pauses = profile.state() == ClusterStatus.State.PAUSED;
            paused.dataPoint(gauge(cluster, pauses ? 1 : 0));
        }

        private void add(Labels cluster, ProfileSnapshot.PartitionLeader leader) {
            leaders.dataPoint(
                    gauge(
                            cluster.add("partition", String.valueOf(leader.partition()))
                                    .add("leader", String.valueOf(leader.leader()))
                                    .add("preferred", String.valueOf(leader.preferred())),
                            1));
        }

        private void add(Labels cluster, LaneCounts counts) {
            lanes.dataPoint(gauge(cluster.add("state", "ready"), counts.ready()));
            lanes.dataPoint(gauge(cluster.add("state", "warming"), counts.warming()));
            lanes.dataPoint(gauge(cluster.add("state", "draining"), counts.draining()));
        }

        private void add(Labels cluster, ProfileSnapshot.BrokerTiming timing) {
            Labels broker = cluster.add("broker", String.valueOf(timing.broker()));
            addKnown(clockOffset, broker, timing.clockOffset());
            addKnown(clockUncertainty, broker, timing.clockUncertainty());
            addKnown(oneWayDelay, broker, timing.oneWayDelay());
            addKnown(roundTrip, broker, timing.roundTrip());
            clockSteps.dataPoint(counter(broker, timing.clockSteps()));
        }

        private void addMirror(Labels cluster, ProfileSnapshot profile) {
            // A leader may have several partitions, and has one series.
            Map<Integer, Double> worst = new TreeMap<>();
            for (ProfileSnapshot.PartitionLeader at : profile.leaders()) {
                String there = String.valueOf(profile.targetLeader(at.partition()));
                mirrorLeaders.dataPoint(
                        gauge(
                                cluster.add("leader", String.valueOf(at.leader()))
                                        .add("partition", String.valueOf(at.partition()))
                                        .add("target_leader", there),
                                1));
                if (!Double.isNaN(at.mirrorUncertainty())) {
                    worst.merge(at.leader(), at.mirrorUncertainty(), Math::max);
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

        private void add(Labels cluster, LeaderCounts counts) {
            Labels leader = cluster.add("leader", String.valueOf(counts.leader()));
            scheduled.dataPoint(counter(leader, counts.scheduled()));
            for (Outcome outcome : Outcome.values()) {
                outcomes.dataPoint(
                        counter(
                                leader.add("outcome", outcome.label()),
                                counts.outcomes().of(outcome)));
            }
            inFlight.dataPoint(gauge(leader, counts.inFlight()));
            overdue.dataPoint(gauge(leader, counts.overdue()));
            duplicates.dataPoint(counter(leader, counts.duplicates()));
            outOfOrder.dataPoint(counter(leader, counts.outOfOrder()));
            resurfaced.dataPoint(counter(leader, counts.resurfaced()));
            slo.dataPoint(counter(leader.add("verdict", "good"), counts.verdicts().good()));
            slo.dataPoint(counter(leader.add("verdict", "bad"), counts.verdicts().bad()));
            stalledBad.dataPoint(counter(leader, counts.verdicts().stalledBad()));
        }

        MetricSnapshots snapshots() {
            return MetricSnapshots.of(
                    scheduled.build(),
                    outcomes.build(),
                    inFlight.build(),
                    overdue.build(),
                    suspected.build(),
                    duplicates.build(),
                    outOfOrder.build(),
                    resurfaced.build(),
                    slo.build(),
                    stalledBad.build(),
                    target.build(),
                    objective.build(),
                    paused.build(),
                    clockOffset.build(),
                    clockUncertainty.build(),
                    clockSteps.build(),
                    oneWayDelay.build(),
                    roundTrip.build(),
                    mirrorUncertainty.build(),
                    mirrorLeaders.build(),
                    lanes.build(),
                    leaders.build(),
                    settings.build());
        }
    }
}
