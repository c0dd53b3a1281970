/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.probe.ledger.LeaderCounts;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says for which brokers probes complete the round trip, and logs when that changes; what a probe
 * is and what became of it is left to the ledger. One thread updates it, any may ask.
 *
 * <p>A broker is ready when it leads its partition and a probe came back that it led and that was
 * due within the last deadline plus ten mean gaps between its probes (the chance that a Poisson
 * schedule alone leaves such a gap is e^-10, less than one in 20,000). When it was due counts, not
 * when it came back: probes of a dead broker that reach the consumer through its successor, seconds
 * late, make no broker ready.
 *
 * <p>So the canary is not ready while any broker that should be measured takes no probes round.
 * Others may not be ready then either, as they wait for that broker: with acks=all no probe of any
 * leader is committed until a dead replica has left the in-sync set. It is ready again when that
 * broker is back, or is no member any more.
 */
final class Readiness {
    private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);

    /**
     * The time of a hundred updates: if none came for so long, the last one is not believed any
     * more.
     */
    private static final long STALE_NANOS = Duration.ofSeconds(10).toNanos();

    private final String title;
    private final long patienceNanos;
    private volatile Set<Integer> ready = Set.of();
    private volatile long updated;

    Readiness(ClusterConfig config) {
        this.title = config.title();
        this.patienceNanos = config.patience().toNanos();
    }

    /**
     * Takes the ledger's counts.
     *
     * @param leading brokers that lead the partition that measures them
     * @param counts of all leaders
     * @param nowNanos the present
     * @return the brokers that are ready now
     */
    Set<Integer> update(Collection<Integer> leading, List<LeaderCounts> counts, long nowNanos) {
        Set<Integer> now = new TreeSet<>();
        for (LeaderCounts leader : counts) {
            OptionalLong youngest = leader.youngestDeliveredNanos();
            if (leading.contains(leader.leader())
                    && youngest.isPresent()
                    && nowNanos - youngest.getAsLong() <= patienceNanos) {
                now.add(leader.leader());
            }
        }
        Set<Integer> either = new TreeSet<>(now);
        either.addAll(ready);
        for (int broker : either) {
            if (!ready.contains(broker)) {
                LOG.info("{}: broker {}: probes complete the round trip", title, broker);
            } else if (!now.contains(broker)) {
                LOG.warn("{}: broker {}: probes no longer complete the round trip", title, broker);
            }
        }
        ready = Set.copyOf(now);
        updated = nowNanos;
        return now;
    }

    /** The brokers that were ready at the last update. */
    Set<Integer> ready() {
        return ready;
    }

    /**
     * The brokers that are ready; none where the last update is long ago: what is not looked at is
     * not known to be ready.
     */
    Set<Integer> ready(long nowNanos) {
        return nowNanos - updated <= STALE_NANOS ? ready : Set.of();
    }
}
