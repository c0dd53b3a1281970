/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.util.List;
import java.util.Map;

/** The metrics of clients that push, as the reference has them. */
public final class DocumentedSignals {

    private static final Map<Signal.Kind, String> TYPES =
            Map.of(Signal.Kind.MEAN, "summary", Signal.Kind.TOTAL, "counter");

    private DocumentedSignals() {}

    /** Name, type, labels and meaning of each. */
    public static List<List<String>> rows() {
        return ClientMetrics.SIGNALS.stream()
                .map(
                        signal ->
                                List.of(
                                        signal.metadata.getPrometheusName()
                                                + (signal.kind == Signal.Kind.TOTAL
                                                        ? "_total"
                                                        : ""),
                                        TYPES.getOrDefault(signal.kind, "gauge"),
                                        "`clients.labels`",
                                        signal.metadata.getHelp()))
                .toList();
    }
}
