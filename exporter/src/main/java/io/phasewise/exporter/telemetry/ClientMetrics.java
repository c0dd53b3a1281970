/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.phasewise.common.telemetry.PushedMetrics;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What clients push, and the metrics that are made of it, as {@link PushedMetrics} has them. */
final class ClientMetrics {

    /** What is of use of a push, by the name in the table. */
    static final Map<String, Source> SOURCES = new LinkedHashMap<>();

    /** The metrics, in the order of the table. */
    static final List<Signal> SIGNALS = new ArrayList<>();

    /** By the name on the wire, which a library may mean something else by. */
    private static final Map<Library, Map<String, Source>> ON_THE_WIRE = new EnumMap<>(Library.class);

    static {
        PushedMetrics.rows().forEach(row -> SIGNALS.add(new Signal(SIGNALS.size(), row)));
        for (Library library : Library.values()) {
            Map<String, Source> its = new HashMap<>();
            SOURCES.values().stream()
                    .filter(source -> source.library.isEmpty())
                    .forEach(source -> its.put(source.wireName, source));
            SOURCES.values().stream()
                    .filter(source -> !source.library.isEmpty() && source.library.equals(library.name))
                    .forEach(source -> its.put(source.wireName, source));
            ON_THE_WIRE.put(library, its);
        }
    }

    private ClientMetrics() {}

    /** The source of a name in the table: without the prefix that all have. */
    static Source source(String name) {
        Source known = SOURCES.get(name);
        if (known == null) {
            known = new Source(SOURCES.size(), name);
            SOURCES.put(name, known);
        }
        return known;
    }

    /** What a library means by a name on the wire; null where it is of no use. */
    static Source onTheWire(Library library, String wireName) {
        return ON_THE_WIRE.get(library).get(wireName);
    }
}
