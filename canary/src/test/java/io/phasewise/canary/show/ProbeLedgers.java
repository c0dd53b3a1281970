/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show;

import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.probe.ledger.Breakdown;
import io.phasewise.canary.probe.ledger.Delivery;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Ledgers;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.probe.ledger.ProbeWitness;
import java.util.function.BiFunction;

/** Ledgers for tests of what is shown of probes. */
public final class ProbeLedgers {
    private ProbeLedgers() {}

    /** Target 50 ms, deadline 5 s, loss horizon 60 s; broker 1 leads partition 4. */
    public static Ledger ledger(
            BiFunction<Probe, Delivery, Instants> estimate, ProbeWitness witness) {
        Ledger ledger =
                new Ledgers()
                        .breakdowns(
                                (probe, sent, delivery, done) ->
                                        done.accept(split(estimate.apply(probe, delivery))))
                        .witness(witness)
                        .make();
        ledger.lead(4, 1);
        return ledger;
    }

    /** Instants with the phases between them. */
    public static Breakdown split(Instants instants) {
        return new Breakdown(instants, instants.breakdown());
    }
}
