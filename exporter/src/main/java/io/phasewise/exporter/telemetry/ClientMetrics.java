/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.phasewise.common.telemetry.PushedMetrics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What clients push, and the metrics that are made of it, as {@link PushedMetrics} has them. */
final class ClientMetrics {

    /** What is of use of a push, by the name on the wire. */
    static final Map<String, Source> SOURCES = new LinkedHashMap<>();

    /** The metrics, in the order of the table. */
    static final List<Signal> SIGNALS = new ArrayList<>();

    static {
        PushedMetrics.rows().forEach(row -> SIGNALS.add(new Signal(SIGNALS.size(), row)));
    }

    private ClientMetrics() {}

    /** The source of a name without the prefix that all have. */
    static Source source(String name) {
        Source source = new Source(SOURCES.size(), name);
        Source known = SOURCES.putIfAbsent(source.wireName, source);
        return known == null ? source : known;
    }
}
