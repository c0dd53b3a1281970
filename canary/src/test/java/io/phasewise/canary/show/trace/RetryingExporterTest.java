/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.phasewise.canary.show.series.ScrapedSeries;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RetryingExporterTest {
    private static final int ROOM = 250;

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final TraceMetrics metrics = new TraceMetrics(new SeriesRegistry(registry, Labels.EMPTY, List.of()));
    private final Receiver receiver = new Receiver();
    private final List<String> log = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();
    private int failuresToCome;
    private boolean stopped;
    private final RetryingExporter exporter =
            new RetryingExporter(receiver, Duration.ofSeconds(10), this::rest, metrics, log::add);

    @Test
    void repeatsABatchUntilTheReceiverIsBackAndSaysEachChangeOnce() {
        failuresToCome = 3;

        assertThat(exporter.export(spans(3)).isSuccess()).isTrue();

        assertThat(pauses).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4));
        assertThat(value("kafka_canary_trace_errors_total{kind=export}")).isEqualTo(3);
        assertThat(log)
                .containsExactly(
                        "the receiver does not accept traces, retrying: IOException: Connection refused",
                        "the receiver accepts traces again");
        assertThat(traces("exported")).isEqualTo(3);
        assertThat(waiting()).isZero();
        // One that was taken, but not in time, comes twice: the receiver can tell by the names.
        assertThat(receiver.spanIds).hasSize(4);
        assertThat(Set.copyOf(receiver.spanIds)).hasSize(1);
    }

    @Test
    void givesABatchUpAfterAboutAMinuteAndGoesOnWithTheNext() {
        failuresToCome = Integer.MAX_VALUE;

        assertThat(exporter.export(spans(100)).isSuccess()).isFalse();

        assertThat(pauses.stream().mapToLong(Duration::toSeconds).max()).hasValue(15);
        assertThat(pauses.stream().mapToLong(Duration::toSeconds).sum()).isBetween(60L, 75L);
        assertThat(traces("given_up")).isEqualTo(100);
        assertThat(waiting()).isZero();
        failuresToCome = 0;
        exporter.export(spans(1));
        assertThat(traces("exported")).isEqualTo(1);
        assertThat(log).as("nothing of the one that was taken at once").hasSize(2);
    }

    @Test
    void triesOnceAtTheEndUnlessTheReceiverTakesIt() {
        stopped = true;
        exporter.export(spans(1));
        assertThat(traces("exported")).isEqualTo(1);

        failuresToCome = Integer.MAX_VALUE;
        exporter.export(spans(2));
        assertThat(receiver.spanIds).hasSize(2);
        assertThat(traces("given_up")).isEqualTo(2);
    }

    @Test
    void noMoreTracesWaitThanThereIsRoomFor() {
        int admitted = 0;
        for (int i = 0; i < ROOM + 30; i++) {
            admitted += metrics.admit(TracedProbes.slow(i), ROOM) ? 1 : 0;
        }

        assertThat(admitted).isEqualTo(ROOM);
        assertThat(waiting()).isEqualTo(ROOM);
        assertThat(traces("dropped")).isEqualTo(30);
    }

    private boolean rest(Duration pause) {
        pauses.add(pause);
        return !stopped;
    }

    private List<SpanData> spans(int traces) {
        SpanCollector collector = new SpanCollector();
        ProbeSpans spans = new ProbeSpans("1", collector);
        for (int i = 0; i < traces; i++) {
            ProbeTrace trace = TracedProbes.slow(i);
            assertThat(metrics.admit(trace, ROOM)).isTrue();
            spans.add(trace);
        }
        return collector.ended();
    }

    private double traces(String result) {
        return value("kafka_canary_traces_total{result=" + result + "}");
    }

    private double waiting() {
        return value("kafka_canary_traces_waiting{}");
    }

    private double value(String series) {
        return ScrapedSeries.values(registry).getOrDefault(series, 0.0);
    }

    private final class Receiver implements SpanExporter {
        private final List<List<String>> spanIds = new ArrayList<>();

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            spanIds.add(spans.stream().map(SpanData::getSpanId).toList());
            return failuresToCome-- > 0
                    ? CompletableResultCode.ofExceptionalFailure(new IOException("Connection refused"))
                    : CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }
}
