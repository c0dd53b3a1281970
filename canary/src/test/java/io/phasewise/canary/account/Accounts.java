/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.util.Map;
import java.util.TreeMap;

/** Accounts for tests that need one, and how to read those of others. */
public final class Accounts {
    private Accounts() {}

    /** All time is the disk's of broker 1. */
    public static Account of(PhaseBreakdown phases) {
        Account.Builder parts = new Account.Builder();
        for (Phase phase : Phase.values()) {
            parts.add(phase, 1, Role.DISK, phases.of(phase));
        }
        return parts.build();
    }

    /** The same breakdown with such an account. */
    public static Breakdown with(Breakdown breakdown) {
        return breakdown.with(of(breakdown.phases()));
    }

    /** Nanoseconds of each part, as {@code commit disk 2}. */
    public static Map<String, Long> parts(Account account) {
        Map<String, Long> parts = new TreeMap<>();
        for (int part = 0; part < account.size(); part++) {
            int broker = account.broker(part);
            String whose = broker == Account.NO_BROKER ? "" : " " + broker;
            parts.put(account.phase(part).label() + " " + account.role(part).label() + whose, account.nanos(part));
        }
        return parts;
    }

    /** The sum of the parts of a phase. */
    public static long sum(Account account, Phase phase) {
        long sum = 0;
        for (int part = 0; part < account.size(); part++) {
            sum += account.phase(part) == phase ? account.nanos(part) : 0;
        }
        return sum;
    }
}
