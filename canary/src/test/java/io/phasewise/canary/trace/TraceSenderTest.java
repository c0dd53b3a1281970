/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceSenderTest {
    private static final int ROOM = 250;

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final TraceMetrics metrics = new TraceMetrics(registry, Labels.EMPTY);
    private final TraceQueue queue = new TraceQueue(ROOM, metrics);
    private final Exporter exporter = new Exporter();
    private final List<String> log = new ArrayList<>();
    private long now;
    private final TraceSender sender =
            new TraceSender(
                    queue,
                    new ProbeSpans("1"),
                    exporter,
                    Duration.ofSeconds(10),
                    metrics,
                    log::add,
                    () -> now);

    @Test
    void sendsWhatWaitsInBatchesAndAtOnceWhileThereIsMore() {
        offer(230);

        assertThat(sender.send()).isEqualTo(Duration.ZERO);
        assertThat(sender.send()).isEqualTo(TraceSender.IDLE);
        assertThat(sender.send()).isEqualTo(TraceSender.IDLE);

        assertThat(exporter.batches).containsExactly(600, 600, 180);
        assertThat(traces("exported")).isEqualTo(230);
        assertThat(log).isEmpty();
    }

    @Test
    void asksNothingOfTheReceiverWhileNothingWaits() {
        assertThat(sender.send()).isEqualTo(TraceSender.IDLE);
        assertThat(exporter.batches).isEmpty();
    }

    @Test
    void repeatsABatchUntilTheReceiverIsBackAndSaysEachChangeOnce() {
        offer(3);
        exporter.failure = new IOException("Connection refused");

        assertThat(sender.send()).isEqualTo(Duration.ofSeconds(1));
        assertThat(sender.send()).isEqualTo(Duration.ofSeconds(2));
        assertThat(sender.send()).isEqualTo(Duration.ofSeconds(4));
        assertThat(log)
                .containsExactly(
                        "traces are not taken, trying again: IOException: Connection refused");
        assertThat(errors()).isEqualTo(3);
        exporter.failure = null;
        assertThat(sender.send()).isEqualTo(TraceSender.IDLE);

        assertThat(log).hasSize(2).last().isEqualTo("traces are taken again");
        assertThat(traces("exported")).isEqualTo(3);
        assertThat(exporter.batches).containsExactly(18, 18, 18, 18);
    }

    @Test
    void triesNoLessOftenThanEvery15Seconds() {
        offer(1);
        exporter.failure = new IOException();
        Duration pause = Duration.ZERO;
        for (int i = 0; i < 50; i++) {
            pause = sender.send();
        }
        assertThat(pause).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void givesABatchUpAfterAMinuteAndGoesOnWithTheNext() {
        offer(101);
        exporter.failure = new IOException();
        sender.send();
        now += Duration.ofSeconds(61).toNanos();
        sender.send();
        exporter.failure = null;
        sender.send();

        assertThat(traces("given_up")).isEqualTo(100);
        assertThat(traces("exported")).isEqualTo(1);
        assertThat(exporter.batches).containsExactly(600, 600, 6);
        assertThat(log).hasSize(2);
    }

    @Test
    void keepsNoMoreThanThereIsRoomForWhileTheReceiverIsAway() {
        exporter.failure = new IOException();
        offer(ROOM);
        sender.send(); // takes a batch out of the queue
        offer(1000);

        assertThat(queue.size()).isEqualTo(ROOM);
        assertThat(traces("dropped")).isEqualTo(900);
    }

    @Test
    void sendsTheRestAtTheEndUnlessNobodyTakesIt() {
        offer(150);
        sender.flush(Duration.ofSeconds(1));
        assertThat(traces("exported")).isEqualTo(150);

        exporter.failure = new IOException();
        offer(150);
        sender.flush(Duration.ofSeconds(1));
        sender.flush(Duration.ofSeconds(1));
        assertThat(exporter.batches).as("tried once more").containsExactly(600, 300, 600);
    }

    private void offer(int count) {
        for (int i = 0; i < count; i++) {
            queue.offer(TracedProbes.slow(i));
        }
    }

    private double traces(String result) {
        return counter(
                "kafka_canary_traces",
                Labels.of("cluster", "prod", "profile", "default", "result", result));
    }

    private double errors() {
        return counter("kafka_canary_trace_errors", Labels.of("kind", "export"));
    }

    private double counter(String name, Labels labels) {
        return registry.scrape(name::equals).stream()
                .flatMap(family -> family.getDataPoints().stream())
                .filter(point -> point.getLabels().equals(labels))
                .mapToDouble(point -> ((CounterSnapshot.CounterDataPointSnapshot) point).getValue())
                .sum();
    }

    private static final class Exporter implements SpanExporter {
        private final List<Integer> batches = new ArrayList<>();
        private IOException failure;

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            batches.add(spans.size());
            return failure == null
                    ? CompletableResultCode.ofSuccess()
                    : CompletableResultCode.ofExceptionalFailure(failure);
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
