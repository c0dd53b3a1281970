/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import io.phasewise.common.phase.Role;
import java.util.Arrays;

/**
 * What a probe waited for at each instant of a stretch of time: pieces that follow one another, each of a broker and a
 * role. An instant has one piece whatever was said of it later. For one thread; used again for the next stretch.
 */
public final class Stretch {
    private static final Role[] ROLES = Role.values();

    private long[] ends = new long[16];
    private int[] brokers = new int[16];
    private byte[] roles = new byte[16];
    private int size;
    private long end;
    private long limit;

    /** Begins anew. */
    void begin(long at) {
        size = 0;
        end = at;
        limit = at;
    }

    /** Lets it reach as far as an instant, not further. */
    void limit(long instant) {
        limit = instant;
    }

    /** Until where it is known, nanoseconds, as all instants here. */
    long end() {
        return end;
    }

    long limit() {
        return limit;
    }

    /** From its end until an instant, but not beyond its limit; nothing where that is not later. */
    void until(long instant, int broker, Role role) {
        long to = instant - limit > 0 ? limit : instant;
        if (to - end <= 0) {
            return;
        }
        end = to;
        byte kind = (byte) role.ordinal();
        if (size > 0 && roles[size - 1] == kind && brokers[size - 1] == broker) {
            ends[size - 1] = to;
            return;
        }
        if (size == ends.length) {
            ends = Arrays.copyOf(ends, 2 * size);
            brokers = Arrays.copyOf(brokers, 2 * size);
            roles = Arrays.copyOf(roles, 2 * size);
        }
        ends[size] = to;
        brokers[size] = broker;
        roles[size] = kind;
        size++;
    }

    /** How many pieces it has. */
    public int pieces() {
        return size;
    }

    /** The instant after a piece; it begins with the end of the one before. */
    public long end(int piece) {
        return ends[piece];
    }

    /** The broker of a piece, or {@link Account#NO_BROKER}. */
    public int broker(int piece) {
        return brokers[piece];
    }

    /** The role of a piece. */
    public Role role(int piece) {
        return ROLES[roles[piece]];
    }
}
