/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The latest of a ledger's probes that were lost or not sent, to tell one that turns up at last
 * from a duplicate; guarded by the ledger's lock.
 */
final class RecentlyUndelivered {
    /** Of all partitions together: an outage of many brokers must not cost any amount of memory. */
    private static final int LIMIT = 20_000;

    private final Map<Key, Probe> probes = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Probe> eldest) {
            return size() > LIMIT;
        }
    };

    private record Key(int partition, long sequence) {}

    void add(Probe probe) {
        probes.put(new Key(probe.partition, probe.sequence), probe);
    }

    /** The probe, or null when it was delivered, or when {@value #LIMIT} others were added since. */
    Probe find(int partition, long sequence) {
        return probes.get(new Key(partition, sequence));
    }
}
