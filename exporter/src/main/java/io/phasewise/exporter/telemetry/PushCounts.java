/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What became of pushes. Safe for use by several threads, none of which waits. */
final class PushCounts {

    /** An end that a push can come to. */
    enum Result {
        ACCEPTED,
        /** Not OTLP metrics. */
        MALFORMED,
        /** Larger than allowed, once decompressed. */
        TOO_LARGE,
        /** More than could be kept up with, or from a client that there was no room for. */
        DROPPED,
        /** Something else went wrong. */
        FAILED;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Map<Result, LongAdder> results = new EnumMap<>(Result.class);
    private final LongAdder bytes = new LongAdder();
    private volatile boolean active;

    PushCounts() {
        for (Result result : Result.values()) {
            results.put(result, new LongAdder());
        }
    }

    void activate() {
        active = true;
    }

    /** Whether a broker has a receiver that hands pushes over. */
    boolean isActive() {
        return active;
    }

    void add(Result result) {
        results.get(result).increment();
    }

    /** Counts a push as accepted. */
    void accepted(int size) {
        add(Result.ACCEPTED);
        bytes.add(size);
    }

    long of(Result result) {
        return results.get(result).sum();
    }

    long bytes() {
        return bytes.sum();
    }
}
