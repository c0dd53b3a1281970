/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * The accounts of all leaders, those of brokers that left the cluster for a while longer; what is
 * counted in them is left to {@link Ledger}, whose lock guards this.
 */
final class LeaderAccounts {
    /** How long the counts of a broker that has left the cluster are kept. */
    static final Duration MEMORY = Duration.ofHours(1);

    private final IntFunction<LatencyRecorder> recorders;
    private final Map<Integer, LeaderAccount> accounts = new TreeMap<>();

    /**
     * @param recorders gives each broker id its recorder
     */
    LeaderAccounts(IntFunction<LatencyRecorder> recorders) {
        this.recorders = recorders;
    }

    /** A broker's account; a new one begins at zero. */
    LeaderAccount of(int leader) {
        LeaderAccount account = accounts.computeIfAbsent(leader, id -> new LeaderAccount(id, recorders.apply(id)));
        account.goneSince = OptionalLong.empty();
        return account;
    }

    /** See {@link Ledger#retainBrokers}. */
    Set<Integer> retain(Set<Integer> members, long nowNanos) {
        Set<Integer> forgotten = new HashSet<>();
        for (LeaderAccount account : accounts.values()) {
            if (members.contains(account.id) || account.inFlight > 0) {
                account.goneSince = OptionalLong.empty();
            } else if (account.goneSince.isEmpty()) {
                account.goneSince = OptionalLong.of(nowNanos);
            } else if (nowNanos - account.goneSince.getAsLong() > MEMORY.toNanos()) {
                forgotten.add(account.id);
            }
        }
        accounts.keySet().removeAll(forgotten);
        return forgotten;
    }

    /** All counts, by ascending broker id. */
    List<LeaderCounts> counts() {
        return accounts.values().stream().map(LeaderAccount::counts).toList();
    }
}
