/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.util.List;

/** The metrics of clients that push, as the reference has them. */
public final class DocumentedSignals {

    private DocumentedSignals() {}

    /**
     * One of each.
     *
     * @param row made of name, type and meaning
     */
    public static <T> List<T> map(Row<T> row) {
        return ClientMetrics.SIGNALS.stream()
                .map(
                        signal ->
                                row.of(
                                        signal.metadata.getPrometheusName()
                                                + (signal.kind == Signal.Kind.TOTAL
                                                        ? "_total"
                                                        : ""),
                                        type(signal.kind),
                                        signal.metadata.getHelp()))
                .toList();
    }

    private static String type(Signal.Kind kind) {
        return kind == Signal.Kind.MEAN
                ? "summary"
                : kind == Signal.Kind.TOTAL ? "counter" : "gauge";
    }

    /** A metric. */
    public interface Row<T> {
        /** Makes it. */
        T of(String name, String type, String meaning);
    }
}
