/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.phasewise.canary.trip.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeSpansTest {
    private static final long DUE = TracedProbes.slow(1).dueEpochNanos();

    /** Nanoseconds since the probe was due; events stand at its own instants all the same. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    slow       | produce 7, publish 20000008, commit 50000011, catch_up 50000011, fetch 55000020 | dispatched 7, appended 20000008, committed 50000011, reached 50000011
                    relabelled | produce 7, publish 8, commit 50000011, catch_up 50000011, fetch 55000020 | dispatched 7, appended 20000008, committed 50000011, reached 50000011
                    """)
    void phasesFollowEachOtherUntilTheProbeIsOverAndSayWhoseTheyAre(String kind, String phases, String events) {
        List<SpanData> all = spans(kind.equals("slow") ? TracedProbes.slow(1) : TracedProbes.relabelled(1));
        SpanData root = root(all);
        assertThat(root.getName()).isEqualTo("probe");
        assertThat(root.getStartEpochNanos()).isEqualTo(DUE);
        assertThat(root.getEndEpochNanos()).isEqualTo(DUE + 55_000_020);
        assertThat(root.getEvents())
                .extracting(event -> event.getName() + " " + (event.getEpochNanos() - DUE))
                .containsExactly(events.split(", "));
        long at = DUE;
        List<String> shown = new ArrayList<>();
        for (SpanData phase : phases(all)) {
            assertThat(phase.getStartEpochNanos()).isEqualTo(at);
            at = phase.getEndEpochNanos();
            shown.add(phase.getName() + " " + (at - DUE));
            assertThat(phase.getParentSpanId()).isEqualTo(root.getSpanId());
            assertThat(said(phase))
                    .containsEntry("cluster", "prod")
                    .containsEntry("profile", "default")
                    .containsEntry("leader", 2L);
        }
        assertThat(shown).containsExactly(phases.split(", "));
        String trace = TraceId.of(0xfeedbeefL, 3, 1).toString();
        assertThat(all).allMatch(span -> span.getTraceId().equals(trace));
    }

    @Test
    void theRootSaysWhatThereIsToKnow() {
        assertThat(said(root(spans(TracedProbes.slow(1)))))
                .containsOnly(
                        Map.entry("cluster", "prod"),
                        Map.entry("profile", "default"),
                        Map.entry("topic", "phasewise-canary"),
                        Map.entry("leader", 2L),
                        Map.entry("partition", 3L),
                        Map.entry("offset", 4711L),
                        Map.entry("isr", List.of(2L, 3L)),
                        Map.entry("outcome", "delivered"),
                        Map.entry("probe_id", "00000000feedbeef-3-1"),
                        Map.entry("slow", true),
                        Map.entry("waited_seconds", 0.0),
                        Map.entry("stalled", false));
    }

    @Test
    void whatCameTooLateIsAnError() {
        ProbeTrace on = TracedProbes.slow(1);
        ProbeTrace late = TracedProbes.slow(1, Outcome.LATE);

        assertThat(root(spans(late)).getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(root(spans(on)).getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    }

    private static List<SpanData> spans(ProbeTrace trace) {
        SpanCollector collector = new SpanCollector();
        new ProbeSpans("1.2.3", collector).add(trace);
        return collector.ended();
    }

    private static SpanData root(List<SpanData> spans) {
        return spans.stream()
                .filter(span -> !span.getParentSpanContext().isValid())
                .findFirst()
                .orElseThrow();
    }

    private static List<SpanData> phases(List<SpanData> spans) {
        return spans.stream()
                .filter(span -> span.getParentSpanContext().isValid())
                .sorted(Comparator.comparingLong(SpanData::getStartEpochNanos)
                        .thenComparingLong(SpanData::getEndEpochNanos))
                .toList();
    }

    private static Map<String, Object> said(SpanData span) {
        return span.getAttributes().asMap().entrySet().stream()
                .collect(Collectors.toMap(e -> e.getKey().getKey(), Map.Entry::getValue));
    }
}
