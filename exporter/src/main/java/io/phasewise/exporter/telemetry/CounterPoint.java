/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

/** One value of one counter in a push. */
final class CounterPoint {

    private final Source source;
    private final String attributes;
    private final boolean cumulative;
    private final long start;
    private final long time;
    private final double value;

    /**
     * @param source what is counted
     * @param attributes tells apart points of the same source; empty for the client as a whole
     * @param cumulative whether the value counts from {@code start}, however often it was pushed
     *     before; else it counts what came since the push before
     * @param start when counting began, nanoseconds since the epoch by the client's clock; 0
     *     unknown
     * @param time when it was read, likewise
     * @param value not negative, finite
     */
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

    Source source() {
        return source;
    }

    /** The same for the same counter in the next push. */
    String key() {
        return source.ordinal() + attributes;
    }

    boolean isOfTheWholeClient() {
        return attributes.isEmpty();
    }

    boolean isCumulative() {
        return cumulative;
    }

    long start() {
        return start;
    }

    long time() {
        return time;
    }

    double value() {
        return value;
    }
}
