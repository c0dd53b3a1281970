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

    /** Of them those that were split by their leader's marks. */
    private int marked;

    /** A bit for each second in which one came back, counted back from the one that this belongs to. */
    private long seconds;

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
        marked += isMarked(account) ? 1 : 0;
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

    /** No other account says how long the leader's handlers and disk took. */
    private static boolean isMarked(Account account) {
        for (int part = 0; part < account.size(); part++) {
            if (account.role(part) == Role.DISK || account.role(part) == Role.HANDLERS) {
                return true;
            }
        }
        return false;
    }

    /** Whether most probes were split by their leader's marks. */
    boolean isMarked() {
        return 2 * marked > probes;
    }

    /**
     * A probe that was added came back so many seconds before the one that this belongs to.
     *
     * @param ago at least 0; what is more than a minute is one
     */
    void cameBack(long ago) {
        seconds |= 1L << Math.min(ago, Long.SIZE - 1);
    }

    /** In how many seconds its probes came back. */
    int seconds() {
        return Long.bitCount(seconds);
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
        marked += other.marked;
        for (int i = 0; i < other.size; i++) {
            int at = make(other.brokers[i], other.roles[i]);
            for (int phase = 0; at >= 0 && phase < PHASES; phase++) {
                nanos[at * PHASES + phase] += other.nanos(i, phase);
            }
        }
    }
}
