/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import io.phasewise.canary.probe.ledger.LeaderCounts;
import io.phasewise.canary.supervise.Problem;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Notices a consumer that reads from the wrong place: a broker leads its partition, nothing says
 * that sending fails, and yet its probes get lost. A Kafka consumer comes into that state for good
 * when brokers return with swapped addresses, because it keeps a connection that works to a broker
 * that answers. Replacing the consumer is left to the caller.
 *
 * <p>Not thread-safe.
 */
public final class StuckConsumerDetector {
    private static final Problem READING_IN_VAIN = new Problem(
            "consumer", "probes are sent and never come back; the Kafka consumer is recreated until they do");

    private final long patienceNanos;
    private final Map<Integer, Long> lostBefore = new HashMap<>();
    private long replacedNanos;
    private long lostNanos;
    private boolean replacing;

    /**
     * @param patience the least time between two replacements; the loss horizon, so that a new
     *     consumer is not blamed for what its predecessor lost
     * @param nowNanos the present
     */
    public StuckConsumerDetector(Duration patience, long nowNanos) {
        this.patienceNanos = patience.toNanos();
        this.replacedNanos = nowNanos;
    }

    /**
     * Takes the ledger's counts.
     *
     * @param leading brokers that lead the partition that measures them
     * @param ready brokers whose probes complete the round trip
     * @param counts of all leaders
     * @param nowNanos the present
     * @return whether the consumer should be replaced now
     */
    public boolean update(Collection<Integer> leading, Set<Integer> ready, List<LeaderCounts> counts, long nowNanos) {
        lostBefore.keySet().retainAll(counts.stream().map(LeaderCounts::leader).toList());
        boolean losing = false;
        for (LeaderCounts leader : counts) {
            Long before = lostBefore.put(leader.leader(), leader.lost());
            losing |= before != null
                    && leader.lost() > before
                    && leading.contains(leader.leader())
                    && !ready.contains(leader.leader());
        }
        if (losing) {
            lostNanos = nowNanos;
        } else if (nowNanos - lostNanos >= patienceNanos) {
            replacing = false;
        }
        if (!losing || nowNanos - replacedNanos < patienceNanos) {
            return false;
        }
        replacedNanos = nowNanos;
        replacing = true;
        return true;
    }

    /**
     * What to report.
     *
     * @return empty unless consumers are being replaced: from the first one until nothing got lost
     *     that way for as long as the patience
     */
    public Optional<Problem> problem() {
        return replacing ? Optional.of(READING_IN_VAIN) : Optional.empty();
    }
}
