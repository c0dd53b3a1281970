/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

/** Finds rows of the table of clients' metrics for tests. */
final class Signals {
    private Signals() {}

    /** The metric of that name, as the table has it. */
    static Signal named(String name) {
        String plain = name.replaceFirst("_total$", "");
        return ClientMetrics.SIGNALS.stream()
                .filter(signal -> signal.metadata.getName().equals(plain))
                .findFirst()
                .orElseThrow();
    }

    /** What clients push by that name, without the prefix that all names have. */
    static Source source(String name) {
        return ClientMetrics.SOURCES.get("org.apache.kafka." + name);
    }
}
