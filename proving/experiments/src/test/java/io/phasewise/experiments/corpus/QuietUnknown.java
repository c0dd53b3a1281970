/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.corpus;

import io.phasewise.canary.account.Account;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;

/** How much is unknown while nothing is broken, of the phases of single probes that took longer than 10 ms. */
final class QuietUnknown {
    private static final long LONG = 10_000_000;

    private final double[] all = new double[Phase.values().length];
    private final double[] unknown = new double[all.length];

    /** Takes in the beginning of a recording. */
    void add(Replay.Result result) {
        for (Replay.Split each : result.split()) {
            long due = each.trip().dueNanos();
            if (due - result.judged() >= 0 && due - result.begins() < 0) {
                add(each.breakdown().account());
            }
        }
    }

    private void add(Account account) {
        long[] sums = new long[all.length];
        long[] unknowns = new long[all.length];
        for (int part = 0; part < account.size(); part++) {
            int phase = account.phase(part).ordinal();
            sums[phase] += account.nanos(part);
            unknowns[phase] += account.role(part) == Role.UNKNOWN ? account.nanos(part) : 0;
        }
        for (int phase = 0; phase < all.length; phase++) {
            if (sums[phase] > LONG) {
                all[phase] += sums[phase] / 1e9;
                unknown[phase] += unknowns[phase] / 1e9;
            }
        }
    }

    /** Seconds of all those phases. */
    double seconds(Phase phase) {
        return all[phase.ordinal()];
    }

    /** From 0 to 1; NaN where there are none. */
    double share(Phase phase) {
        return unknown[phase.ordinal()] / all[phase.ordinal()];
    }
}
