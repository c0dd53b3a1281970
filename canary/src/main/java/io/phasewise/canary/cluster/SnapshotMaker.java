/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.cluster.context.ProfileContext;
import io.phasewise.canary.cluster.traffic.Measurement;
import io.phasewise.canary.cluster.traffic.ProbeAssignment;
import io.phasewise.canary.cluster.traffic.Traffic;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.phases.OneWayDelay;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.send.LaneCounts;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.show.status.ProfileSnapshot;
import io.phasewise.canary.topic.Ownership;
import io.phasewise.canary.topic.TopicState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Puts together the snapshots of one profile from what its parts know. Thread-safe. */
final class SnapshotMaker {
    private final ProfileContext profile;
    private final Measurement measurement;

    private final ProfileSnapshot.Facts facts;

    /**
     * @param profile what it works with
     * @param measurement counts probes
     */
    SnapshotMaker(ProfileContext profile, Measurement measurement) {
        this.profile = profile;
        this.measurement = measurement;
        ClusterConfig config = profile.config();
        this.facts = new ProfileSnapshot.Facts(
                config.name(),
                config.profile(),
                config.title(),
                LatencySettings.of(config),
                profile.seed(),
                config.slo().target().toNanos() / 1e9,
                config.slo().objective());
    }

    /**
     * Makes a snapshot of the profile.
     *
     * @param assignment at the last look
     * @param ownership whose the topic is
     * @param group that is configured; null where none was looked at
     * @param leaders by partition
     * @param traffic empty while there is none
     */
    ProfileSnapshot make(
            ClusterStatus.State state,
            ProbeAssignment assignment,
            Ownership ownership,
            ClusterStatus.Group group,
            Map<Integer, Integer> leaders,
            Optional<Traffic> traffic) {
        Optional<LaneCounts> lanes = traffic.flatMap(Traffic::lanes);
        Ledger ledger = measurement.ledger();
        return new ProfileSnapshot(
                facts,
                assignment.clusterId(),
                state,
                profile.board().problems(),
                assignment.topic(profile.config().topic().name(), ownership),
                group,
                partitionLeaders(assignment, leaders),
                ledger.counts(),
                ledger.suspectsOutage(),
                timings(assignment),
                reachable(assignment),
                lanes.map(LaneCounts::ready).orElse(traffic.isPresent() ? 1 : 0),
                lanes);
    }

    private static List<ProfileSnapshot.PartitionLeader> partitionLeaders(
            ProbeAssignment assignment, Map<Integer, Integer> leaders) {
        Map<Integer, Integer> preferred = assignment.preferredLeaders();
        List<ProfileSnapshot.PartitionLeader> all = new ArrayList<>();
        new TreeMap<>(leaders)
                .forEach((partition, leader) -> all.add(new ProfileSnapshot.PartitionLeader(
                        partition, leader, leader.equals(preferred.get(partition)))));
        return all;
    }

    /** Of the members only: what is known of the others' clocks is of no use to anybody. */
    private List<ProfileSnapshot.BrokerTiming> timings(ProbeAssignment assignment) {
        long now = profile.now();
        Instant date = profile.canary().wallTime().at(now);
        long wallMinusMonotonic = ChronoUnit.NANOS.between(Instant.EPOCH, date) - now;
        List<ProfileSnapshot.BrokerTiming> timings = new ArrayList<>();
        for (TopicState.Broker member : assignment.state().brokers()) {
            profile.clocks()
                    .known(member.id())
                    .map(known -> timing(member.id(), known, now, wallMinusMonotonic))
                    .ifPresent(timings::add);
        }
        return timings;
    }

    /**
     * Only brokers that the cluster says are up: that the others are down is known without the
     * canary.
     */
    private Map<Integer, Boolean> reachable(ProbeAssignment assignment) {
        long now = profile.now();
        Map<Integer, Boolean> reachable = new TreeMap<>();
        for (TopicState.Broker member : assignment.state().brokers()) {
            if (member.live()) {
                profile.reach().isReachable(member.id(), now).ifPresent(known -> reachable.put(member.id(), known));
            }
        }
        return reachable;
    }

    private ProfileSnapshot.BrokerTiming timing(
            int broker, BrokerClocks.Broker known, long now, long wallMinusMonotonic) {
        // How exact the boundary between publish and commit is: the broker's own mark of it is better than an estimate.
        OptionalLong marked = profile.marks()
                .map(store -> store.uncertaintyNanos(broker, now))
                .orElse(OptionalLong.empty());
        OneWayDelay.Total trips = known.delay().total();
        return new ProfileSnapshot.BrokerTiming(
                broker,
                seconds(known.clock().offsetNanos(now), wallMinusMonotonic),
                seconds(marked.isPresent() ? marked : known.clock().uncertaintyNanos(now)),
                known.clock().steps(),
                seconds(known.knownWayBackNanos(now)),
                seconds(known.delay().recentRoundTripNanos(now)),
                trips.trips(),
                trips.nanos() / 1e9);
    }

    private static double seconds(OptionalLong nanos) {
        return seconds(nanos, 0);
    }

    /** Seconds since an origin, subtracted first: a double would lose microseconds of a date. */
    private static double seconds(OptionalLong nanos, long origin) {
        return nanos.isEmpty() ? Double.NaN : (nanos.getAsLong() - origin) / 1e9;
    }
}
