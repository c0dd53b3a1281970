/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.trip;

import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.Wait;
import java.util.List;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * What the producer reports of one probe once it was acknowledged or given up; making phases of
 * it is left to the splitter. All instants are monotonic nanoseconds.
 *
 * @param dispatches when the requests that carried it were handed to the network client, in order,
 *     failed ones included; the first is T1 ({@link Instants#t1}). Empty when none is known
 * @param acknowledged when the client saw the acknowledgement, with acks=0 when the bytes had left, or
 *     {@link Instants#UNKNOWN} when the probe was given up; reading it then fails
 * @param broker to which the request that decided it went; without such a request the leader when it
 *     was scheduled
 * @param waits what it waited behind, and when; no two overlap
 * @param handedOver when it was handed to a Kafka producer; of no meaning when it never was
 * @param waitedNanos how long it waited behind others in all, 0 for most
 * @param offset where the acknowledgement says the record lies, or {@link #NO_OFFSET}
 */
public record SendResult(
        List<Long> dispatches,
        long acknowledged,
        int broker,
        List<Wait> waits,
        long handedOver,
        long waitedNanos,
        long offset) {
    /** Nothing says where the record lies: it was not sent, or acks=0 asks for no answer. */
    public static final long NO_OFFSET = -1;

    /**
     * A result with the offset that the acknowledgement gives.
     *
     * @param metadata null when nothing acknowledged it
     */
    public static SendResult of(
            List<Long> dispatches,
            long acknowledged,
            int broker,
            List<Wait> waits,
            long handedOver,
            long waitedNanos,
            RecordMetadata metadata) {
        long offset = metadata != null && metadata.hasOffset() ? metadata.offset() : NO_OFFSET;
        return new SendResult(dispatches, acknowledged, broker, waits, handedOver, waitedNanos, offset);
    }

    /** Whether an acknowledgement came. */
    public boolean isAcknowledged() {
        return acknowledged != Instants.UNKNOWN;
    }

    @Override
    public long acknowledged() {
        return Instants.known(acknowledged, "the acknowledgement");
    }

    public SendResult {
        dispatches = List.copyOf(dispatches);
        waits = List.copyOf(waits);
    }
}
