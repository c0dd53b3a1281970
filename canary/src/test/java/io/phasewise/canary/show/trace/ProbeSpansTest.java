/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.phasewise.canary.probe.ledger.Outcome;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ProbeSpansTest {
    private static final long DUE = TracedProbes.slow(1).dueEpochNanos();

    @Test
    void aTraceIsARootAndFivePhasesThatFillItAndSayWhoseTheyAre() {
        List<SpanData> all = spans(TracedProbes.slow(1));

        SpanData root = root(all);
        assertThat(root.getName()).isEqualTo("probe");
        assertThat(root.getStartEpochNanos()).isEqualTo(DUE);
        assertThat(root.getEndEpochNanos()).isEqualTo(DUE + 55_000_020);
        long at = DUE;
        List<SpanData> phases = phases(all);
        assertThat(phases)
                .extracting(SpanData::getName)
                .containsExactly("produce", "publish", "commit", "catch_up", "fetch");
        for (SpanData phase : phases) {
            assertThat(phase.getParentSpanId()).isEqualTo(root.getSpanId());
            assertThat(phase.getStartEpochNanos()).isEqualTo(at);
            assertThat(said(phase))
                    .contains(
                            Map.entry("cluster", "prod"),
                            Map.entry("profile", "default"),
                            Map.entry("leader", 2L));
            at = phase.getEndEpochNanos();
        }
        assertThat(at).isEqualTo(root.getEndEpochNanos());
        String trace = TraceId.of(0xfeedbeefL, 3, 1).toString();
        assertThat(all).hasSize(6).allMatch(span -> span.getTraceId().equals(trace));
    }

    @Test
    void theMirrorIsASpanBetweenCommitAndCatchUp() {
        List<SpanData> all = spans(TracedProbes.mirrored(1));

        assertThat(phases(all))
                .extracting(SpanData::getName)
                .containsExactly("produce", "publish", "commit", "mirror", "catch_up", "fetch");
        assertThat(phases(all).get(5).getEndEpochNanos()).isEqualTo(root(all).getEndEpochNanos());
        assertThat(root(all).getEvents()).extracting(EventData::getName).contains("mirrored");
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
    void theEventsStandAtTheProbesOwnInstantsWhateverThePhasesAreCharged() {
        List<SpanData> all = spans(TracedProbes.relabelled(1));

        assertThat(root(all).getEvents())
                .extracting(EventData::getName)
                .containsExactly("dispatched", "appended", "committed", "reached");
        assertThat(root(all).getEvents())
                .extracting(event -> event.getEpochNanos() - DUE)
                .containsExactly(7L, 20_000_008L, 50_000_011L, 50_000_011L);
        SpanData publish = phases(all).get(1);
        assertThat(publish.getEndEpochNanos() - publish.getStartEpochNanos()).isEqualTo(1);
        assertThat(phases(all).get(4).getEndEpochNanos()).isEqualTo(root(all).getEndEpochNanos());
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
                .sorted(
                        Comparator.comparingLong(SpanData::getStartEpochNanos)
                                .thenComparingLong(SpanData::getEndEpochNanos))
                .toList();
    }

    private static Map<String, Object> said(SpanData span) {
        return span.getAttributes().asMap().entrySet().stream()
                .collect(Collectors.toMap(e -> e.getKey().getKey(), Map.Entry::getValue));
    }
}
