/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import java.time.Duration;

/** Ledgers at the default objective: a target of 50 ms, late after 5 s, lost after 60 s. */
public final class Ledgers {
    static final Duration TARGET = Duration.ofMillis(50);
    static final Duration DEADLINE = Duration.ofSeconds(5);
    static final Duration HORIZON = Duration.ofSeconds(60);

    private Ledgers() {}

    /** One of which only the counts matter. */
    public static Ledger counting() {
        return of(SilentRecorder.INSTANCE, PositionalBreakdowns.INSTANCE);
    }

    /** One that tells all its latencies to one recorder. */
    public static Ledger of(LatencyRecorder recorder, Breakdowns breakdowns) {
        return of(recorder, breakdowns, ProbeWitness.NONE);
    }

    /** The same with a witness. */
    public static Ledger of(LatencyRecorder recorder, Breakdowns breakdowns, ProbeWitness witness) {
        return new Ledger(TARGET, DEADLINE, HORIZON, leader -> recorder, breakdowns, witness);
    }
}
