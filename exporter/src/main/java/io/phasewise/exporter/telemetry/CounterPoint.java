/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

/** One value of one counter in a push. */
final class CounterPoint {

    final Source source;

    /** Tells apart points of the same source; empty for the client as a whole. */
    final String attributes;

    /**
     * Whether the value counts from {@link #start}, however often it was pushed before; otherwise
     * it counts what came since the push before.
     */
    final boolean cumulative;

    /** When counting began, nanoseconds since the epoch by the client's clock; 0 unknown. */
    final long start;

    /** When it was read, in the same way. */
    final long time;

    /** Not negative, finite. */
    final double value;

    CounterPoint(
            Source source,
            String attributes,
            boolean cumulative,
            long start,
            long time,
            double value) {
        this.source = source;
        this.attributes = attributes;
        this.cumulative = cumulative;
        this.start = start;
        this.time = time;
        this.value = value;
    }

    /** The same for the same counter in the next push. */
    String key() {
        return source.index + attributes;
    }

    boolean isOfTheWholeClient() {
        return attributes.isEmpty();
    }
}
