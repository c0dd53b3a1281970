/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.DispatchTimingProducer.KnownLeader;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Who leads the probes' partitions, as the lanes' clients know it together: where two disagree, the
 * later epoch counts. Has clients that are behind ask the cluster again. Used by one thread.
 */
final class LeaderView {
    /** How long a probe may hang on a former leader before its lane is replaced. */
    private static final Duration MOVE_GRACE = Duration.ofSeconds(1);

    private final long lossHorizonNanos;
    private Map<Integer, KnownLeader> leaders = Map.of();

    private final Map<Integer, Integer> ids = new HashMap<>();

    /** The partitions that every lane has heard of. */
    private final Set<Integer> introduced = new HashSet<>();

    private final Map<Integer, Long> movedAt = new HashMap<>();

    /**
     * @param lossHorizonNanos how long a probe may be under way
     */
    LeaderView(long lossHorizonNanos) {
        this.lossHorizonNanos = lossHorizonNanos;
    }

    /**
     * Asks the lanes.
     *
     * @param lanes those in use
     * @param wanted partitions that carry probes or shall do so
     * @param refusal why no lane could be opened, or null
     * @param now monotonic nanoseconds
     * @return nodes to which all lanes should be connected, when some leader is new or has moved;
     *     otherwise empty
     * @throws KafkaException when no lane knows and the cluster refuses to answer
     */
    Set<Node> update(Collection<Lane> lanes, Set<Integer> wanted, KafkaException refusal, long now) {
        Map<Integer, KnownLeader> latest = new HashMap<>();
        boolean answered = false;
        KafkaException refused = refusal;
        for (Lane lane : lanes) {
            try {
                lane.learnLeaders().forEach((p, leader) -> latest.merge(p, leader, LeaderView::newer));
                answered = true;
            } catch (TimeoutException e) {
                // Not known any more; the request is on its way.
            } catch (KafkaException e) {
                refused = e;
            }
        }
        if (!answered && refused != null) {
            throw refused;
        }
        for (Lane lane : lanes) {
            if (isBehind(lane.knownLeaders(), latest, wanted)) {
                lane.client().refreshLeaders();
            }
        }
        // A lane refuses probes for a partition that it has not heard of: a new partition waits until all have.
        latest.keySet().removeIf(p -> !introduced.contains(p) && !isKnownToAll(p, lanes));
        introduced.addAll(latest.keySet());
        boolean connect = false;
        for (var entry : latest.entrySet()) {
            KnownLeader before = leaders.get(entry.getKey());
            boolean moved =
                    before != null && !before.node().equals(entry.getValue().node());
            if (moved) {
                movedAt.put(entry.getKey(), now);
            }
            connect |= moved || before == null;
        }
        if (answered) {
            leaders = latest;
        }
        ids.clear();
        latest.forEach((partition, leader) -> ids.put(partition, leader.node().id()));
        movedAt.values().removeIf(at -> now - at > 2 * lossHorizonNanos);
        return connect ? ClientOpener.nodes(latest) : Set.of();
    }

    private static KnownLeader newer(KnownLeader a, KnownLeader b) {
        return b.epoch() > a.epoch() ? b : a;
    }

    private static boolean isBehind(
            Map<Integer, KnownLeader> known, Map<Integer, KnownLeader> latest, Set<Integer> wanted) {
        return !known.keySet().containsAll(wanted)
                || latest.entrySet().stream()
                        .anyMatch(e -> known.containsKey(e.getKey())
                                && known.get(e.getKey()).epoch() < e.getValue().epoch());
    }

    private static boolean isKnownToAll(int partition, Collection<Lane> lanes) {
        return lanes.stream().allMatch(lane -> lane.knownLeaders().containsKey(partition));
    }

    /** Leaders' broker ids by partition; empty when no lane knew at the last update. */
    Map<Integer, Integer> ids() {
        return Map.copyOf(ids);
    }

    /** Whether a probe is still under way to a broker that its partition moved from. */
    boolean isStuck(Lane lane, long now) {
        return !movedAt.isEmpty()
                && lane.carries(probe -> {
                    Long at = movedAt.get(probe.probe().partition());
                    return at != null && probe.sentAt() - at < 0 && now - at > MOVE_GRACE.toNanos();
                });
    }
}
