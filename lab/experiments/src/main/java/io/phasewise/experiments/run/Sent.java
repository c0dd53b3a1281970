/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import java.util.Collection;
import java.util.Map;

/**
 * What became of the records of a turn's loads up to one instant.
 *
 * @param acknowledged records
 * @param failed records: refused by brokers, timed out, or without room in a buffer
 * @param bytes that left for the brokers
 * @param nanos monotonic, when it was counted
 */
record Sent(long acknowledged, long failed, double bytes, long nanos) {

    static Sent by(Collection<BackgroundLoad> loads) {
        return new Sent(
                loads.stream().mapToLong(BackgroundLoad::acknowledged).sum(),
                loads.stream().mapToLong(BackgroundLoad::refused).sum(),
                loads.stream().mapToDouble(BackgroundLoad::sentBytes).sum(),
                System.nanoTime());
    }

    Sent since(Sent earlier) {
        return new Sent(
                acknowledged - earlier.acknowledged,
                failed - earlier.failed,
                bytes - earlier.bytes,
                nanos - earlier.nanos);
    }

    /** Of a difference: acknowledged records a second. */
    double records() {
        return acknowledged / (nanos / 1e9);
    }

    /** Of a difference: further figures by headings. */
    Map<String, Double> figures() {
        return Map.of(
                "load failed/s",
                failed / (nanos / 1e9),
                "load bytes sent a record",
                bytes / acknowledged);
    }
}
