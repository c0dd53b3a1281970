/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.common.file.JarResource;
import io.phasewise.exporter.telemetry.DocumentedSignals;
import java.util.List;
import java.util.stream.Stream;

/**
 * A metric that the agent itself brings, beside what the rules make of beans. {@link #ALL} is
 * printed into the reference; a broker under the agent may export no other.
 *
 * @param name of the series; of a histogram without its suffixes
 * @param type as Prometheus' text format has it
 * @param labels as a list in one line
 * @param meaning what it counts; empty where the help in the code says it
 */
record OwnMetric(String name, String type, String labels, String meaning) {

    /** Those of docs/reference/broker-metrics.md. */
    static final List<OwnMetric> ALL = of("brokers").toList();

    /** Those of clients that push: docs/reference/client-metrics.md. */
    static final List<OwnMetric> CLIENTS =
            Stream.concat(
                            DocumentedSignals.rows().stream()
                                    .map(
                                            row ->
                                                    new OwnMetric(
                                                            row.get(0),
                                                            row.get(1),
                                                            row.get(2),
                                                            row.get(3))),
                            of("clients"))
                    .toList();

    private static Stream<OwnMetric> of(String page) {
        return JarResource.rows(OwnMetric.class, "/own-metrics.csv", 5).stream()
                .filter(cells -> cells[0].equals(page))
                .map(cells -> new OwnMetric(cells[1], cells[2], cells[3], cells[4]));
    }
}
