/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.opentelemetry.proto.trace.v1.Span;
import io.phasewise.canary.config.TracesConfig;
import io.phasewise.canary.phases.WallTime;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Ledgers;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.show.slow.ProbeSource;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Traces on their way over HTTP to a receiver that decodes them; no broker. */
class TraceExportIT {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final long INSTANCE = 0xfeedbeefL;
    private static final long MS = 1_000_000;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(TraceExport.class);
    private OtlpReceiver receiver;
    private TraceExport export;
    private Ledger ledger;

    @BeforeEach
    void start() throws Exception {
        receiver = new OtlpReceiver();
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() throws Exception {
        if (export != null) {
            export.close();
        }
        receiver.close();
        logger.detachAppender(log);
    }

    @Test
    void aReceiverThatRefusesIsNamedAndGetsTheRenewedTokenAndWhatWaited(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("h"), "authorization: Bearer old\n");
        receiver.status = 401;
        open(Optional.of(file));
        probe(60 * MS + 1);
        await("said that it refuses").atMost(BOUND).until(() -> log.list.size() == 1);
        Files.writeString(file, "authorization: Bearer new\n");
        receiver.status = 200;
        await().atMost(BOUND).until(() -> receiver.roots().size() == 1);

        Span root = receiver.roots().get(0);
        assertThat(HexFormat.of().formatHex(root.getTraceId().toByteArray()))
                .isEqualTo(TraceId.of(INSTANCE, 4, 0).toString());
        assertThat(root.getEndTimeUnixNano() - root.getStartTimeUnixNano()).isEqualTo(60 * MS + 1);
        assertThat(log.list.get(0).getFormattedMessage())
                .isEqualTo("the receiver does not accept traces, retrying: HTTP status 401");
        assertThat(receiver.authorizations).startsWith("Bearer old").endsWith("Bearer new");
        assertThat(log.list).noneMatch(line -> line.getFormattedMessage().matches(".*(Bearer|hunter2).*"));
    }

    @Test
    void whatStillWaitsIsSentAtTheEnd() throws Exception {
        open(Optional.empty());
        probe(60 * MS);
        export.close();
        assertThat(receiver.roots()).hasSize(1);
        assertThat(receiver.authorizations).containsOnly("Bearer hunter2");
    }

    private void open(Optional<Path> headersFile) {
        TracesConfig config = new TracesConfig(
                URI.create(receiver.endpoint()),
                Map.of("authorization", "Bearer hunter2"),
                headersFile,
                0,
                Duration.ofSeconds(10),
                100);
        export = new TraceExport(
                config,
                "1",
                new TraceMetrics(new SeriesRegistry(new PrometheusRegistry(), Labels.EMPTY, List.of())),
                BOUND);
        ProbeTracer listener = export.tracer(
                new ProbeSource(
                        "prod",
                        "default",
                        "topic",
                        INSTANCE,
                        new WallTime(InstantSource.system(), System::nanoTime),
                        (start, end) -> 0),
                Duration.ofMillis(50));
        listener.inSync(Map.of(4, List.of(1, 2)));
        ledger = new Ledgers().reader(listener).leading(4, 1);
    }

    private void probe(long latency) {
        long now = System.nanoTime();
        Probe probe = ledger.scheduled(4, now - latency);
        ledger.reported(probe, Ledgers.acknowledged(now, 77));
        Ledgers.deliver(ledger, probe, now, 77);
    }
}
