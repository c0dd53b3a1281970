/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

/** One value of a metric in a push. */
final class Point {

    final Source source;

    /** The same for the same value in the next push. */
    final String key;

    /** Not of one of its brokers, topics or partitions. */
    final boolean isOfTheWholeClient;

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

    /**
     * @param attributes tell apart points of the same source; empty for the client as a whole
     */
    Point(Source source, String attributes, boolean cumulative, long start, long time, double value) {
        this.source = source;
        this.key = source.index + attributes;
        this.isOfTheWholeClient = attributes.isEmpty();
        this.cumulative = cumulative;
        this.start = start;
        this.time = time;
        this.value = value;
    }
}
