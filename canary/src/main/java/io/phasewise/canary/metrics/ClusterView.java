/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.metrics;

import io.phasewise.canary.ledger.LeaderCounts;
import java.util.List;
import java.util.Map;

/**
 * What a scrape reads of one cluster and profile; how it is kept is left to the cluster.
 * Thread-safe.
 */
public interface ClusterView {
    /** The {@code cluster} label. */
    String cluster();

    /** The {@code profile} label. */
    String profile();

    /** Counts of all leaders, taken at one instant. */
    List<LeaderCounts> counts();

    /** Who leads the partitions that carry probes; empty while unknown. */
    List<PartitionLeader> leaders();

    /** What is known of the brokers' clocks and of the ways to them; one entry for each broker. */
    List<BrokerTiming> timings();

    /**
     * Producers by what they are doing: ready, warming, draining; empty before the first, and where
     * one carries all.
     */
    Map<String, Integer> lanes();

    /** The settings that shape latency, by label name; the same names for every cluster. */
    Map<String, String> settings();

    /** SLO target in seconds. */
    double sloTargetSeconds();

    /** SLO objective, a ratio. */
    double sloObjective();

    /** Of a mirrored profile, who leads in the target; empty for all others. */
    List<MirrorLeader> mirror();

    /**
     * Who leads a mirrored partition, at both ends.
     *
     * @param partition its number, the same in both clusters
     * @param leader broker id in the cluster that the probes are sent to
     * @param targetLeader broker id in the one that they are read in; negative while there is none
     * @param uncertainty how far the instant of appends in the target can be off, in seconds; NaN
     *     while unknown
     */
    record MirrorLeader(int partition, int leader, int targetLeader, double uncertainty) {}

    /**
     * Who leads a partition.
     *
     * @param partition its number
     * @param leader broker id
     * @param preferred whether that is its preferred leader
     */
    record PartitionLeader(int partition, int leader, boolean preferred) {}

    /**
     * A broker's clock and the way to it, in seconds.
     *
     * @param broker its id
     * @param clockOffset its wall clock minus the canary's; NaN while unknown
     * @param clockUncertainty how far that can be off; NaN while unknown
     * @param clockSteps how often its clock stepped
     * @param oneWayDelay half the least round trip; NaN while none is known
     */
    record BrokerTiming(
            int broker,
            double clockOffset,
            double clockUncertainty,
            long clockSteps,
            double oneWayDelay) {}
}
