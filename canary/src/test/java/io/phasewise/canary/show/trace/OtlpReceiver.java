/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/** A receiver of OTLP traces over HTTP for tests: keeps what it takes, or refuses everything. */
public final class OtlpReceiver implements AutoCloseable {
    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final List<String> services = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private volatile int status = 200;

    /** Starts it on a free port. */
    public OtlpReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    /**
     * What a trace holds.
     *
     * @param root the span that has no parent
     * @param phases the others, in the order of their start and, where it is the same, their end
     */
    public record Trace(Span root, List<Span> phases) {}

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            authorizations.add(
                    String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            if (status == 200) {
                decode(exchange, body);
            }
            exchange.sendResponseHeaders(status, -1);
        }
    }

    private void decode(HttpExchange exchange, byte[] body) throws IOException {
        InputStream in = new java.io.ByteArrayInputStream(body);
        if ("gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"))) {
            in = new GZIPInputStream(in);
        }
        ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(in);
        request.getResourceSpansList()
                .forEach(
                        of -> {
                            services.add(
                                    attributes(of.getResource().getAttributesList())
                                            .get("service.name")
                                            .getStringValue());
                            of.getScopeSpansList()
                                    .forEach(scope -> spans.addAll(scope.getSpansList()));
                        });
    }

    /** Where to send to. */
    public String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
    }

    /** Answers every request from now on with this; only what is answered with 200 is kept. */
    void answer(int status) {
        this.status = status;
    }

    /** The services that sent something. */
    public List<String> services() {
        return List.copyOf(services);
    }

    /** The header of each request. */
    public List<String> authorizations() {
        return List.copyOf(authorizations);
    }

    /**
     * What was taken so far, by trace id; a span that came again, after a timeout, once. A batch
     * may end within a trace: one whose root, the last of its spans, has not come yet is left out.
     */
    public Map<String, Trace> traces() {
        return spans.stream()
                .distinct()
                .collect(Collectors.groupingBy(OtlpReceiver::traceId))
                .entrySet()
                .stream()
                .filter(trace -> root(trace.getValue()).isPresent())
                .collect(Collectors.toMap(Map.Entry::getKey, e -> trace(e.getValue())));
    }

    private static Optional<Span> root(List<Span> spans) {
        return spans.stream().filter(span -> span.getParentSpanId().isEmpty()).findFirst();
    }

    private static Trace trace(List<Span> spans) {
        return new Trace(
                root(spans).orElseThrow(),
                spans.stream()
                        .filter(s -> !s.getParentSpanId().isEmpty())
                        .sorted(
                                Comparator.comparingLong(Span::getStartTimeUnixNano)
                                        .thenComparingLong(Span::getEndTimeUnixNano))
                        .toList());
    }

    private static String traceId(Span span) {
        return HexFormat.of().formatHex(span.getTraceId().toByteArray());
    }

    /** The attributes by their names. */
    public static Map<String, AnyValue> attributes(List<KeyValue> list) {
        return list.stream().collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
