/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.util.List;
import java.util.Locale;

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
                                        meaning(signal)))
                .toList();
    }

    private static String type(Signal.Kind kind) {
        return kind == Signal.Kind.MEAN
                ? "summary"
                : kind == Signal.Kind.TOTAL ? "counter" : "gauge";
    }

    private static String meaning(Signal signal) {
        String help = signal.metadata.getHelp();
        return help.substring(0, 1).toLowerCase(Locale.ROOT) + help.substring(1);
    }

    /** A metric. */
    public interface Row<T> {
        /** Makes it. */
        T of(String name, String type, String meaning);
    }
}
