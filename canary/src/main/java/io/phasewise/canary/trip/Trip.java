/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.trip;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * One probe that has ended, with all that its owners saw of it. Immutable.
 *
 * <p>Who owns what until then: the ledger owns the probe and its outcome; the producer's report and
 * the consumer's are handed to it whole, and it keeps them under its lock. When the probe ends it
 * closes the trip, and hands it to the splitter. Nobody writes to it after that, so it needs no
 * lock; the splitter's thread hands it to the readers with its phases.
 *
 * <p>A probe that was written off and turns up later has two trips: one that did not come back, and
 * one that did, with the same outcome.
 *
 * @param partition where it went
 * @param sequence its number within the partition, from 0
 * @param leader id of the broker that led the partition when the probe was scheduled
 * @param dueNanos when it was due (T0), monotonic nanoseconds
 * @param outcome what became of it
 * @param sent what the producer reported; empty when it had reported nothing in time
 * @param back what the consumer reported; empty when the probe did not come back
 * @param exemplar whether its phases carry its id, as its end-to-end latency does
 */
public record Trip(
        int partition,
        long sequence,
        int leader,
        long dueNanos,
        Outcome outcome,
        Optional<SendResult> sent,
        Optional<Delivery> back,
        boolean exemplar) {

    /**
     * What the consumer reported.
     *
     * @throws IllegalStateException when the probe did not come back
     */
    public Delivery delivery() {
        return back.orElseThrow(() -> new IllegalStateException("probe " + sequence + " did not come back"));
    }

    /**
     * End-to-end latency, T5 - T0, in nanoseconds.
     *
     * @throws IllegalStateException when the probe did not come back
     */
    public long latencyNanos() {
        return delivery().atNanos() - dueNanos;
    }

    /** From T0 to the acknowledgement, in nanoseconds; empty when none had come. */
    public OptionalLong acknowledgedNanos() {
        return sent.filter(SendResult::isAcknowledged)
                .map(result -> OptionalLong.of(result.acknowledged() - dueNanos))
                .orElse(OptionalLong.empty());
    }

    /**
     * From T0 to the dispatch of the last produce request that carried it, in nanoseconds; empty when
     * none is known. T1 is the first one.
     */
    public OptionalLong dispatchedNanos() {
        return sent.filter(result -> !result.dispatches().isEmpty())
                .map(result -> result.dispatches().get(result.dispatches().size() - 1) - dueNanos)
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /** How long it waited behind others, in nanoseconds; 0 for most, and when nothing was reported. */
    public long waitedNanos() {
        return sent.map(SendResult::waitedNanos).orElse(0L);
    }
}
