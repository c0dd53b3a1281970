/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.common.series.DeclaredSeries;
import io.phasewise.common.series.SeriesTable;
import io.phasewise.common.telemetry.PushedMetrics;
import io.phasewise.exporter.series.SeriesRegistry;
import java.util.List;
import java.util.stream.Stream;

/**
 * A metric that the agent itself brings, beside what the rules make of beans. {@link #ALL} is
 * printed into the reference; a broker under the agent may export no other.
 *
 * @param name of the series; of a histogram without its suffixes
 * @param type as Prometheus' text format has it
 * @param labels as a list in one line
 * @param unit of its value
 * @param meaning what it counts
 * @param whenHigh what to do when it is high; may be empty
 */
record OwnMetric(String name, String type, String labels, String unit, String meaning, String whenHigh) {

    /** Those of docs/reference/broker-metrics.md. */
    static final List<OwnMetric> ALL =
            declared().filter(each -> !each.isOfClients()).toList();

    /** Those of clients that push: docs/reference/client-metrics.md. */
    static final List<OwnMetric> CLIENTS = Stream.concat(
                    PushedMetrics.rows().stream().map(OwnMetric::pushed),
                    declared().filter(OwnMetric::isOfClients))
            .toList();

    private static Stream<OwnMetric> declared() {
        return new SeriesTable(SeriesRegistry.class).all().stream().map(OwnMetric::own);
    }

    private static OwnMetric own(DeclaredSeries series) {
        return new OwnMetric(
                series.name(),
                series.type(),
                String.join(", ", series.labels()),
                series.unit(),
                series.help(),
                series.whenHigh());
    }

    private static OwnMetric pushed(String[] cells) {
        String type = switch (cells[1]) {
            case "mean" -> "summary";
            case "total", "pushes" -> "counter";
            default -> "gauge";
        };
        return new OwnMetric(cells[0], type, "`clients.labels`", Advice.unit(cells[0]), cells[4], "");
    }

    private boolean isOfClients() {
        return name.contains("_client_");
    }
}
