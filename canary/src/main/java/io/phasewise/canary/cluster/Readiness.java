/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.ledger.LeaderCounts;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says which brokers probes go all the way round by, and logs when that changes; what a probe is
 * and what became of it is left to the ledger. Thread-safe.
 *
 * <p>A broker is ready when a probe that it led came back within the last deadline plus ten mean
 * gaps between its probes (the chance that a Poisson schedule alone leaves such a gap is e^-10,
 * less than one in 20,000).
 */
final class Readiness {
    private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);
    private static final int GAPS = 10;

    private final String cluster;
    private final long patienceNanos;
    private final Set<Integer> ready = new TreeSet<>();

    Readiness(ClusterConfig config) {
        this.cluster = config.name();
        this.patienceNanos =
                config.deadline().toNanos() + (long) (GAPS * 1e9 / config.probe().rate());
    }

    /**
     * Takes the ledger's counts.
     *
     * @param members brokers that should be measured
     * @param counts of all leaders
     * @param nowNanos the present
     * @return the brokers that are ready now
     */
    synchronized Set<Integer> update(
            Collection<Integer> members, List<LeaderCounts> counts, long nowNanos) {
        Set<Integer> now = new TreeSet<>();
        for (LeaderCounts leader : counts) {
            boolean recent =
                    leader.everDelivered()
                            && nowNanos - leader.lastDeliveryNanos() <= patienceNanos;
            if (recent && members.contains(leader.leader())) {
                now.add(leader.leader());
            }
        }
        for (int broker : now) {
            if (!ready.contains(broker)) {
                LOG.info("cluster {}: broker {}: probes go all the way round", cluster, broker);
            }
        }
        for (int broker : ready) {
            if (!now.contains(broker)) {
                LOG.warn(
                        "cluster {}: broker {}: no probe came back for {} s",
                        cluster,
                        broker,
                        patienceNanos / 1e9);
            }
        }
        ready.clear();
        ready.addAll(now);
        return now;
    }

    /** The brokers that were ready at the last update. */
    synchronized Set<Integer> ready() {
        return Set.copyOf(ready);
    }
}
