/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.split.PhaseEstimator;
import io.phasewise.canary.supervise.Supervisor;
import io.phasewise.canary.trip.SendResult;
import java.util.function.LongSupplier;

/**
 * What every {@link ProbeProducer} of a profile works with.
 *
 * @param supervisor starts the thread that opens and closes Kafka producers
 * @param ledger learns what became of each probe
 * @param estimator labels the time that probes wait behind others
 * @param listener learns the rest
 * @param nanoClock monotonic nanoseconds
 */
public record SendContext(
        Supervisor supervisor,
        Ledger ledger,
        PhaseEstimator estimator,
        ProbeProducer.Listener listener,
        LongSupplier nanoClock) {

    /**
     * Reports to the ledger a probe that was sent or given up.
     *
     * @param failure why it was given up; null when it was acknowledged
     */
    void report(LaneProbe decided, Exception failure) {
        Probe probe = decided.probe();
        SendResult result = decided.result();
        if (failure == null) {
            ledger.acknowledged(probe, result.acknowledged());
            ledger.reported(probe, result);
        } else {
            ledger.reported(probe, result);
            ledger.sendFailed(probe);
            listener.failed(probe, failure);
        }
    }
}
