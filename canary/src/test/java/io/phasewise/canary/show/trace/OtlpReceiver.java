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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/** A receiver of OTLP traces over HTTP for tests: keeps what it takes, or refuses everything. */
public final class OtlpReceiver implements AutoCloseable {
    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();

    /** The header of each request. */
    final List<String> authorizations = new CopyOnWriteArrayList<>();

    /** Answers every request from now on with this; only what is answered with 200 is kept. */
    volatile int status = 200;

    /** Starts it on a free port. */
    public OtlpReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            authorizations.add("" + exchange.getRequestHeaders().getFirst("Authorization"));
            InputStream body = exchange.getRequestBody();
            if ("gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"))) {
                body = new GZIPInputStream(body);
            }
            ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(body);
            if (status == 200) {
                request.getResourceSpansList().stream()
                        .flatMap(of -> of.getScopeSpansList().stream())
                        .forEach(scope -> spans.addAll(scope.getSpansList()));
            }
            exchange.sendResponseHeaders(status, -1);
        }
    }

    /** Where to send to. */
    public String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
    }

    /**
     * The root of each trace, the last of its spans to come: one without a parent. One that came
     * again, after a timeout, is there once.
     */
    public List<Span> roots() {
        return spans.stream()
                .distinct()
                .filter(span -> span.getParentSpanId().isEmpty())
                .toList();
    }

    /** The attributes of a span by their names. */
    public static Map<String, AnyValue> attributes(Span span) {
        return span.getAttributesList().stream().collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
