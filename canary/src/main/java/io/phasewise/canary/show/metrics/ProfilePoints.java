/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import io.phasewise.canary.group.GroupOwnership;
import io.phasewise.canary.probe.ledger.LeaderCounts;
import io.phasewise.canary.send.LaneCounts;
import io.phasewise.canary.show.series.ScrapedPoints;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.show.status.ProfileSnapshot;
import io.phasewise.canary.topic.Ownership;
import io.phasewise.canary.trip.Outcome;
import io.prometheus.metrics.model.snapshots.Labels;

/**
 * Turns one snapshot of a profile into points at the moment of a scrape: all from one reading of
 * its ledger, so that in every single scrape scheduled = outcomes + in flight. Latency histograms
 * are left to {@link CanaryMetrics}.
 */
final class ProfilePoints {
    private final ProfileSnapshot profile;
    private final Labels cluster;
    private final ScrapedPoints points;

    ProfilePoints(ProfileSnapshot profile, ScrapedPoints points) {
        this.profile = profile;
        this.cluster = points.labels(
                "cluster", profile.facts().cluster(), "profile", profile.facts().profile());
        this.points = points;
    }

    void add() {
        profile.counts().forEach(this::add);
        profile.leaders().forEach(this::add);
        profile.clocks().forEach(this::add);
        profile.reachable()
                .forEach((broker, reached) ->
                        points.add("kafka_canary_broker_reachable", with("broker", broker), reached ? 1 : 0));
        profile.lanes().ifPresent(this::add);
        ProfileSnapshot.Facts facts = profile.facts();
        Labels settings = cluster;
        for (var setting : facts.settings().entrySet()) {
            settings = settings.add(setting.getKey(), setting.getValue());
        }
        boolean pauses = profile.state() == ClusterStatus.State.PAUSED;
        points.add("kafka_canary_config_info", settings, 1);
        points.add("kafka_canary_slo_target_seconds", cluster, facts.sloTargetSeconds());
        points.add("kafka_canary_slo_objective_ratio", cluster, facts.sloObjective());
        points.add("kafka_canary_paused", cluster, pauses ? 1 : 0);
        String whose = profile.topic() == null ? "none" : profile.topic().ownership();
        for (Ownership each : Ownership.values()) {
            if (each != Ownership.NONE) {
                double is = each.label().equals(whose) ? 1 : 0;
                points.add("kafka_canary_topic_ownership", cluster.add("ownership", each.label()), is);
            }
        }
        if (profile.group() != null) {
            for (GroupOwnership.Verdict each : GroupOwnership.Verdict.values()) {
                if (each != GroupOwnership.Verdict.ABSENT) {
                    double is = each.label().equals(profile.group().ownership()) ? 1 : 0;
                    points.add("kafka_canary_group_ownership", cluster.add("ownership", each.label()), is);
                }
            }
        }
        points.add("kafka_canary_outage_suspected", cluster, profile.outageSuspected() ? 1 : 0);
    }

    private void add(LeaderCounts counts) {
        Labels leader = with("leader", counts.leader());
        points.add("kafka_canary_probes_scheduled_total", leader, counts.scheduled());
        for (Outcome outcome : Outcome.values()) {
            points.add(
                    "kafka_canary_probes_total",
                    leader.add("outcome", outcome.label()),
                    counts.outcomes().of(outcome));
        }
        points.add("kafka_canary_probes_in_flight", leader, counts.inFlight());
        points.add("kafka_canary_probes_overdue", leader, counts.overdue());
        points.add("kafka_canary_duplicates_total", leader, counts.duplicates());
        points.add("kafka_canary_out_of_order_total", leader, counts.outOfOrder());
        points.add("kafka_canary_resurfaced_total", leader, counts.resurfaced());
        LeaderCounts.Verdicts verdicts = counts.verdicts();
        String slo = "kafka_canary_slo_probes_total";
        points.add(slo, leader.add("verdict", "good"), verdicts.good());
        points.add(slo, leader.add("verdict", "bad"), verdicts.bad());
        points.add("kafka_canary_stalled_bad_probes_total", leader, verdicts.stalledBad());
    }

    private void add(ProfileSnapshot.PartitionLeader at) {
        Labels leader = with("partition", at.partition())
                .add("leader", String.valueOf(at.leader()))
                .add("preferred", String.valueOf(at.preferred()));
        points.add("kafka_canary_partition_leader_info", leader, 1);
    }

    private void add(LaneCounts counts) {
        String lanes = "kafka_canary_lanes";
        points.add(lanes, cluster.add("state", "ready"), counts.ready());
        points.add(lanes, cluster.add("state", "warming"), counts.warming());
    }

    private void add(ProfileSnapshot.BrokerTiming timing) {
        Labels broker = with("broker", timing.broker());
        points.add("kafka_canary_clock_offset_seconds", broker, timing.clockOffset());
        points.add("kafka_canary_clock_uncertainty_seconds", broker, timing.clockUncertainty());
        points.add("kafka_canary_clock_steps_total", broker, timing.clockSteps());
        points.add("kafka_canary_network_one_way_delay_seconds", broker, timing.oneWayDelay());
        points.add("kafka_canary_network_round_trip_seconds", broker, timing.roundTrip());
        points.add("kafka_canary_pings_total", broker, timing.roundTrips());
        points.add("kafka_canary_ping_seconds_total", broker, timing.roundTripsSeconds());
    }

    private Labels with(String label, int value) {
        return cluster.add(label, String.valueOf(value));
    }
}
