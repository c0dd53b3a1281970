/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import io.phasewise.canary.account.Account;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.util.Arrays;

/**
 * What some probes of one leader waited for: sums by broker, role and phase. Makes no garbage once it knows its brokers
 * and roles, as each probe comes here.
 */
final class Tally {
    /** Brokers and roles at most: of more than 15 replicas. What is beyond is not counted. */
    static final int MOST = 128;

    /** Room at first; there are some of these for each leader. */
    private static final int FEW = 4;

    private static final int PHASES = Phase.values().length;

    private int probes;
    private int size;
    private int[] brokers = new int[FEW];
    private Role[] roles = new Role[FEW];
    private long[] nanos = new long[FEW * PHASES];
    private int[] slow = new int[FEW];
    private long[] ofThisProbe = new long[FEW];

    /**
     * Takes in one probe.
     *
     * @param slowNanos one that waits longer for a broker and role counts as slow there
     */
    void add(Account account, long slowNanos) {
        probes++;
        for (int part = 0; part < account.size(); part++) {
            int at = make(account.broker(part), account.role(part));
            if (at >= 0) {
                nanos[at * PHASES + account.phase(part).ordinal()] += account.nanos(part);
                ofThisProbe[at] += account.nanos(part);
            }
        }
        for (int part = 0; part < account.size(); part++) {
            int at = find(account.broker(part), account.role(part));
            if (at >= 0) {
                slow[at] += ofThisProbe[at] > slowNanos ? 1 : 0;
                ofThisProbe[at] = 0;
            }
        }
    }

    private int make(int broker, Role role) {
        int at = find(broker, role);
        if (at >= 0 || size == MOST) {
            return at;
        }
        if (size == roles.length) {
            brokers = Arrays.copyOf(brokers, 2 * size);
            roles = Arrays.copyOf(roles, 2 * size);
            nanos = Arrays.copyOf(nanos, 2 * size * PHASES);
            slow = Arrays.copyOf(slow, 2 * size);
            ofThisProbe = Arrays.copyOf(ofThisProbe, 2 * size);
        }
        brokers[size] = broker;
        roles[size] = role;
        return size++;
    }

    /** Where a broker and role is, or -1. */
    int find(int broker, Role role) {
        for (int i = 0; i < size; i++) {
            if (brokers[i] == broker && roles[i] == role) {
                return i;
            }
        }
        return -1;
    }

    int probes() {
        return probes;
    }

    /** How many brokers and roles there are; the methods below take a number from 0 up to it. */
    int size() {
        return size;
    }

    int broker(int at) {
        return brokers[at];
    }

    Role role(int at) {
        return roles[at];
    }

    long nanos(int at, int phase) {
        return nanos[at * PHASES + phase];
    }

    int slow(int at) {
        return slow[at];
    }

    /** Seconds that all probes waited for a broker, in the roles that a broker measures. */
    double ownSeconds(int broker) {
        long sum = 0;
        for (int at = 0; at < size; at++) {
            if (brokers[at] == broker && Usual.isMeasured(roles[at])) {
                for (int phase = 0; phase < PHASES; phase++) {
                    sum += nanos(at, phase);
                }
            }
        }
        return sum / 1e9;
    }

    /** Adds another one's probes; they count as no slow ones. */
    void addAll(Tally other) {
        probes += other.probes;
        for (int i = 0; i < other.size; i++) {
            int at = make(other.brokers[i], other.roles[i]);
            for (int phase = 0; at >= 0 && phase < PHASES; phase++) {
                nanos[at * PHASES + phase] += other.nanos(i, phase);
            }
        }
    }
}
