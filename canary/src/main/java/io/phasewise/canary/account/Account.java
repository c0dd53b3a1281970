/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.util.Arrays;

/**
 * Whose time one probe's latency was: parts by phase, broker and role, none negative, whose sum in each phase is that
 * phase to the nanosecond. Immutable.
 */
public final class Account {
    /**
     * The broker of a part that is no broker's: all of {@link Role#CLIENT}, and all of {@link Role#CONTROLLER}, as nobody
     * says which broker that is.
     */
    public static final int NO_BROKER = -1;

    private static final Phase[] PHASES = Phase.values();
    private static final Role[] ROLES = Role.values();

    /** Of each part its phase and role in one number, and its broker. */
    private final byte[] kinds;

    private final int[] brokers;
    private final long[] nanos;

    private Account(byte[] kinds, int[] brokers, long[] nanos) {
        this.kinds = kinds;
        this.brokers = brokers;
        this.nanos = nanos;
    }

    /** How many parts there are; no two are of the same phase, broker and role. */
    public int size() {
        return nanos.length;
    }

    /** The phase of a part, from 0. */
    public Phase phase(int part) {
        return PHASES[kinds[part] / ROLES.length];
    }

    /** The role of a part. */
    public Role role(int part) {
        return ROLES[kinds[part] % ROLES.length];
    }

    /** The broker of a part, or {@link #NO_BROKER}. */
    public int broker(int part) {
        return brokers[part];
    }

    /** Nanoseconds of a part, more than 0. */
    public long nanos(int part) {
        return nanos[part];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Account account
                && Arrays.equals(kinds, account.kinds)
                && Arrays.equals(brokers, account.brokers)
                && Arrays.equals(nanos, account.nanos);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(kinds) + Arrays.hashCode(nanos);
    }

    /** Collects the parts of one account after the other; for one thread. */
    public static final class Builder {
        private byte[] kinds = new byte[8];
        private int[] brokers = new int[8];
        private long[] nanos = new long[8];
        private int size;

        /** Forgets what was added and not built: an account that could not be made to its end. */
        public void empty() {
            size = 0;
        }

        /**
         * Adds to a part; 0 changes nothing.
         *
         * @throws IllegalArgumentException when nanoseconds are negative
         */
        public Builder add(Phase phase, int broker, Role role, long more) {
            if (more < 0) {
                throw new IllegalArgumentException(phase + " of broker " + broker + ", " + role + ": " + more + " ns");
            }
            if (more == 0) {
                return this;
            }
            byte kind = (byte) (phase.ordinal() * ROLES.length + role.ordinal());
            for (int i = 0; i < size; i++) {
                if (kinds[i] == kind && brokers[i] == broker) {
                    nanos[i] += more;
                    return this;
                }
            }
            if (size == nanos.length) {
                kinds = Arrays.copyOf(kinds, 2 * size);
                brokers = Arrays.copyOf(brokers, 2 * size);
                nanos = Arrays.copyOf(nanos, 2 * size);
            }
            kinds[size] = kind;
            brokers[size] = broker;
            nanos[size] = more;
            size++;
            return this;
        }

        /** The account of what was added since the one before. */
        public Account build() {
            Account built =
                    new Account(Arrays.copyOf(kinds, size), Arrays.copyOf(brokers, size), Arrays.copyOf(nanos, size));
            size = 0;
            return built;
        }
    }
}
