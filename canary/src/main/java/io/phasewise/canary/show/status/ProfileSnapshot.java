/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.status;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.phasewise.canary.probe.ledger.LeaderCounts;
import io.phasewise.canary.send.LaneCounts;
import io.phasewise.canary.supervise.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the measuring of one profile stands, all of it at one instant: what a scrape exports, and
 * what {@link ClusterStatus} shows beside latencies. Immutable.
 *
 * @param facts what never changes
 * @param clusterId Kafka's own id, or null while unknown
 * @param state what the canary is doing about the cluster
 * @param problems what keeps it from measuring as asked, sorted; may be empty
 * @param topic the probes' topic, or null while unknown
 * @param group the consumer group that is configured, once it was looked at; otherwise null
 * @param leaders who leads the partitions that carry probes, by ascending number; empty while
 *     unknown
 * @param counts of all leaders, also of brokers that have left
 * @param outageSuspected whether most probes have not come back for some seconds
 * @param clocks what is known of the members' clocks and of the ways to them
 * @param reachable by id, whether each member that the cluster says is up answers the canary's
 *     pings; those of which that is not known yet are left out
 * @param producers that carry the probes; 0 while there are none
 * @param lanes these producers by state; empty before the first, and where one carries all probes
 */
public record ProfileSnapshot(
        @JsonUnwrapped Facts facts,
        String clusterId,
        ClusterStatus.State state,
        List<Problem> problems,
        ClusterStatus.Topic topic,
        @JsonInclude(JsonInclude.Include.NON_NULL) ClusterStatus.Group group,
        @JsonIgnore List<PartitionLeader> leaders,
        @JsonIgnore List<LeaderCounts> counts,
        @JsonIgnore boolean outageSuspected,
        @JsonIgnore List<BrokerTiming> clocks,
        @JsonIgnore Map<Integer, Boolean> reachable,
        @JsonProperty("lanes") int producers,
        @JsonIgnore Optional<LaneCounts> lanes) {

    /**
     * What never changes of a profile.
     *
     * @param cluster the {@code cluster} label
     * @param profile the {@code profile} label
     * @param title what messages call the two
     * @param settings those that shape latency, by label name; the same names for every profile
     * @param seed of the Poisson schedule, configured or drawn
     * @param sloTargetSeconds a probe delivered within this is good
     * @param sloObjective the share of probes that should be good
     */
    public record Facts(
            @JsonProperty("name") String cluster,
            String profile,
            @JsonIgnore String title,
            Map<String, String> settings,
            long seed,
            @JsonIgnore double sloTargetSeconds,
            @JsonIgnore double sloObjective) {}

    /**
     * Who leads a partition.
     *
     * @param partition its number
     * @param leader broker id
     * @param preferred whether that is its preferred leader
     */
    public record PartitionLeader(int partition, int leader, boolean preferred) {}

    /**
     * A broker's clock and the way to it, in seconds.
     *
     * @param broker its id
     * @param clockOffset its wall clock minus the canary's; NaN while unknown
     * @param clockUncertainty how far that can be off; NaN while unknown
     * @param clockSteps how often its clock stepped
     * @param oneWayDelay of the way back; NaN while none is known
     * @param roundTrip the least of the last moments; NaN while none is known
     * @param roundTrips how many there were since the start
     * @param roundTripsSeconds how long they took together
     */
    public record BrokerTiming(
            int broker,
            double clockOffset,
            double clockUncertainty,
            long clockSteps,
            double oneWayDelay,
            double roundTrip,
            long roundTrips,
            double roundTripsSeconds) {}
}
