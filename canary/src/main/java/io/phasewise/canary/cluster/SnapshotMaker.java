/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.estimate.TargetLog;
import io.phasewise.canary.marks.MarkBook;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.phases.WallTime;
import io.phasewise.canary.probe.ledger.LeaderCounts;
import io.phasewise.canary.send.LaneCounts;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.show.status.ProfileSnapshot;
import io.phasewise.canary.supervise.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** Puts together the snapshots of one profile from what its parts know. Thread-safe. */
final class SnapshotMaker {
    private final ClusterConfig config;
    private final ProfileSnapshot.Facts facts;
    private final BrokerClocks clocks;
    private final Optional<MarkBook> marks;

    /** Null unless probes are read in another cluster. */
    private final TargetLog targetLog;

    private final CanaryContext context;

    /**
     * @param config the profile
     * @param seed of its schedule
     * @param clocks of the cluster's brokers
     * @param marks what the brokers tell of probes; empty where they are not asked
     * @param targetLog of a mirrored profile; null of all others
     * @param context has the clocks
     */
    SnapshotMaker(
            ClusterConfig config,
            long seed,
            BrokerClocks clocks,
            Optional<MarkBook> marks,
            TargetLog targetLog,
            CanaryContext context) {
        this.config = config;
        this.clocks = clocks;
        this.marks = marks;
        this.targetLog = targetLog;
        this.context = context;
        this.facts =
                new ProfileSnapshot.Facts(
                        config.name(),
                        config.profile(),
                        config.title(),
                        LatencySettings.of(config),
                        seed,
                        config.slo().target().toNanos() / 1e9,
                        config.slo().objective());
    }

    /** The seed of the profile's schedule. */
    long seed() {
        return facts.seed();
    }

    /**
     * Makes one.
     *
     * @param layout at the last look
     * @param leaders by partition
     * @param outageSuspected what the ledger says of probes under way
     * @param traffic empty while there is none, and holds empty where one producer carries all
     * @param mirror of a mirrored profile, what was seen of it; null of all others
     */
    ProfileSnapshot make(
            ClusterStatus.State state,
            List<Problem> problems,
            Layout layout,
            Map<Integer, Integer> leaders,
            List<LeaderCounts> counts,
            boolean outageSuspected,
            Optional<Optional<LaneCounts>> traffic,
            ClusterStatus.Mirror mirror) {
        Optional<LaneCounts> lanes = traffic.flatMap(some -> some);
        return new ProfileSnapshot(
                facts,
                layout.clusterId(),
                state,
                problems,
                layout.topic(config.topic().name()),
                partitionLeaders(layout, leaders),
                counts,
                outageSuspected,
                timings(layout),
                lanes.map(LaneCounts::ready).orElse(traffic.isPresent() ? 1 : 0),
                lanes,
                mirror);
    }

    private List<ProfileSnapshot.PartitionLeader> partitionLeaders(
            Layout layout, Map<Integer, Integer> leaders) {
        long now = context.nanoClock().getAsLong();
        Map<Integer, Integer> preferred = layout.preferredLeaders();
        List<ProfileSnapshot.PartitionLeader> all = new ArrayList<>();
        new TreeMap<>(leaders)
                .forEach(
                        (partition, leader) ->
                                all.add(
                                        new ProfileSnapshot.PartitionLeader(
                                                partition,
                                                leader,
                                                leader.equals(preferred.get(partition)),
                                                mirrorUncertainty(partition, now))));
        return all;
    }

    private double mirrorUncertainty(int partition, long now) {
        return targetLog == null ? Double.NaN : seconds(targetLog.uncertaintyNanos(partition, now));
    }

    /** Of the members only: what is known of the others' clocks is of no use to anybody. */
    private List<ProfileSnapshot.BrokerTiming> timings(Layout layout) {
        Set<Integer> members = layout.members();
        long now = context.nanoClock().getAsLong();
        long wallMinusMonotonic =
                new WallTime(context.wallClock(), context.nanoClock()).epochNanos(now) - now;
        List<ProfileSnapshot.BrokerTiming> timings = new ArrayList<>();
        for (BrokerClocks.Reading reading : clocks.readings(now)) {
            if (members.contains(reading.broker())) {
                timings.add(
                        new ProfileSnapshot.BrokerTiming(
                                reading.broker(),
                                seconds(reading.offsetNanos(), wallMinusMonotonic),
                                seconds(uncertainty(reading, now)),
                                reading.steps(),
                                seconds(reading.oneWayDelayNanos()),
                                seconds(reading.roundTripNanos()),
                                reading.roundTrips(),
                                reading.roundTripsNanos() / 1e9));
            }
        }
        return timings;
    }

    /** Of publish and commit's boundary: the broker's own account is the better one. */
    private OptionalLong uncertainty(BrokerClocks.Reading reading, long now) {
        OptionalLong told =
                marks.map(book -> book.uncertaintyNanos(reading.broker(), now))
                        .orElse(OptionalLong.empty());
        return told.isPresent() ? told : reading.uncertaintyNanos();
    }

    private static double seconds(OptionalLong nanos) {
        return seconds(nanos, 0);
    }

    /** From an origin on; subtracted before a double could lose microseconds of the date. */
    private static double seconds(OptionalLong nanos, long origin) {
        return nanos.isEmpty() ? Double.NaN : (nanos.getAsLong() - origin) / 1e9;
    }
}
