/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import java.util.Optional;
import java.util.function.Consumer;

/** Splits the latency of a probe that came back into its phases; the ledger says which probes. */
@FunctionalInterface
public interface Breakdowns {
    /**
     * Called once for each probe observed end to end, by any thread, without the ledger's lock.
     *
     * @param probe the probe
     * @param sending what the producer reported; empty when it reported nothing in time
     * @param delivery what the consumer reported
     * @param done takes phases whose sum is T5 - T0 to the nanosecond: once, now or within {@link
     *     Ledger#PATIENCE} of the delivery, from any thread
     */
    void split(Probe probe, Optional<SendResult> sending, Delivery delivery, Consumer<Breakdown> done);
}
