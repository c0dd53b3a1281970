/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.util.Arrays;

/**
 * What the slow ones among the last probes waited for, and when: whoever waited behind one of the same leader waited for
 * the same. The newest are kept, of all leaders together, so that many leaders take no more memory than a few. For one
 * thread.
 */
public final class RecentWays {
    private static final Phase[] PHASES = Phase.values();
    private static final Role[] ROLES = Role.values();

    /**
     * At 20 probes a second for each leader, all of them slow: an eighth of a second of 100 leaders, 4 s of three. Some
     * 60 kB when all are in use.
     */
    private static final int MOST = 256;

    /** Most ways have fewer pieces. */
    private static final int PIECES = 8;

    private final Kept[] kept = new Kept[MOST];
    private int count;
    private int newest = -1;

    /** Receives parts of a stretch of time, in order. */
    @FunctionalInterface
    public interface Parts {
        /** From the end of the part before until an instant. */
        void add(long until, int broker, Role role);
    }

    private static final class Kept {
        private int leader;
        private long start;
        private long[] ends = new long[PIECES];
        private int[] brokers = new int[PIECES];
        private byte[] phases = new byte[PIECES];
        private byte[] roles = new byte[PIECES];
        private int size;

        private long end() {
            return size == 0 ? start : ends[size - 1];
        }

        private void add(long until, Phase phase, int broker, Role role) {
            if (size == ends.length) {
                ends = Arrays.copyOf(ends, 2 * size);
                brokers = Arrays.copyOf(brokers, 2 * size);
                phases = Arrays.copyOf(phases, 2 * size);
                roles = Arrays.copyOf(roles, 2 * size);
            }
            ends[size] = until;
            brokers[size] = broker;
            phases[size] = (byte) phase.ordinal();
            roles[size] = (byte) role.ordinal();
            size++;
        }

        /** The piece at an instant; negative where there is none. */
        private int pieceAt(long instant) {
            if (instant - start < 0 || instant - end() >= 0) {
                return -1;
            }
            int piece = 0;
            while (ends[piece] - instant <= 0) {
                piece++;
            }
            return piece;
        }
    }

    /** Begins a probe of a leader that is worth keeping. */
    public void begin(int leader, long start) {
        newest = (newest + 1) % MOST;
        if (kept[newest] == null) {
            kept[newest] = new Kept();
        }
        count = Math.min(count + 1, MOST);
        kept[newest].leader = leader;
        kept[newest].start = start;
        kept[newest].size = 0;
    }

    /** The probe that was begun waited for that, from the end of its part before until an instant. */
    public void add(long until, Phase phase, int broker, Role role) {
        kept[newest].add(until, phase, broker, role);
    }

    /**
     * Says what the probes in front waited for: one that was in this phase then, or else one that was under way to the
     * leader or back.
     *
     * @param leader of these probes; also the broker of what no probe tells
     */
    public void between(int leader, long from, long to, Phase phase, Parts parts) {
        long at = from;
        while (at - to < 0) {
            int found = find(leader, at, phase);
            if (found < 0) {
                parts.add(to, leader, Role.UNKNOWN);
                return;
            }
            Kept front = kept[found];
            int piece = front.pieceAt(at);
            byte phaseThen = front.phases[piece];
            while (at - to < 0 && piece < front.size && front.phases[piece] == phaseThen) {
                at = front.ends[piece] - to < 0 ? front.ends[piece] : to;
                parts.add(at, front.brokers[piece], ROLES[front.roles[piece]]);
                piece++;
            }
        }
    }

    private int find(int leader, long at, Phase phase) {
        int other = -1;
        for (int i = 0; i < count; i++) {
            int index = Math.floorMod(newest - i, MOST);
            int piece = kept[index].leader == leader ? kept[index].pieceAt(at) : -1;
            if (piece < 0) {
                continue;
            }
            Phase then = PHASES[kept[index].phases[piece]];
            if (then == phase) {
                return index;
            }
            if (other < 0 && then != Phase.PRODUCE && then != Phase.CATCH_UP) {
                other = index;
            }
        }
        return other;
    }
}
