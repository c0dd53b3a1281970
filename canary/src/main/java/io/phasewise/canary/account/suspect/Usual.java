/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import io.phasewise.canary.account.Account;
import io.phasewise.common.phase.Role;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What probes usually wait for the roles that brokers measure: a fixed allowance, and more where the other brokers are slow
 * in the same second. On a host that is busy, or a cluster that is full, every broker takes longer: then nobody stands out.
 */
final class Usual {
    /** What a probe may wait for any broker and role: less than this slows down no application noticeably. */
    static final Duration ALLOWANCE = Duration.ofMillis(10);

    /** A broker stands out only where a role of it takes longer than so many times what other brokers take in all roles. */
    static final double TIMES_OTHERS = 2;

    /** The same where the others take {@link #STALL} or more: then everything stalls, and the means of few probes vary widely. */
    static final double TIMES_OTHERS_IN_A_STALL = 5;

    private static final double STALL = 0.1;

    private static final Set<Role> MEASURED =
            Set.of(Role.HANDLERS, Role.DISK, Role.PROCESS, Role.NETWORK_THREADS, Role.FOLLOWER, Role.CONTROLLER);

    private final double[] sorted;
    private final Map<Integer, Double> levels = new TreeMap<>();

    /**
     * @param tallies by leader what its probes waited for in one second
     * @param usually by leader how many probes it usually has in the seconds of its tally
     * @param brokers all that were seen recently
     */
    Usual(Map<Integer, Tally> tallies, Map<Integer, Double> usually, Set<Integer> brokers) {
        brokers.forEach(broker -> levels.put(broker, 0.0));
        tallies.forEach((leader, tally) -> {
            for (int at = 0; at < tally.size(); at++) {
                int broker = tally.broker(at);
                if (broker != Account.NO_BROKER) {
                    levels.merge(broker, tally.ownSeconds(broker) / usually.get(leader), Math::max);
                }
            }
        });
        sorted = levels.values().stream()
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
    }

    /** Whether brokers measure this role, so that it need not be learned. */
    static boolean isMeasured(Role role) {
        return MEASURED.contains(role);
    }

    /**
     * Seconds that a probe may wait for one role of a broker.
     *
     * @param broker its id
     */
    double seconds(int broker) {
        double others = others(broker);
        return ALLOWANCE.toNanos() / 1e9 + others * (others < STALL ? TIMES_OTHERS : TIMES_OTHERS_IN_A_STALL);
    }

    /** The lower quartile of what a probe waited for each other broker, in all its roles; 0 where there is no other. */
    private double others(int broker) {
        Double own = levels.get(broker);
        int others = sorted.length - (own == null ? 0 : 1);
        if (others == 0) {
            return 0;
        }
        int at = (others - 1) / 4;
        boolean passesOwn = own != null && Arrays.binarySearch(sorted, own) <= at && own <= sorted[at];
        return sorted[passesOwn ? at + 1 : at];
    }
}
