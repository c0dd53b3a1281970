/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import io.phasewise.common.http.Answer;
import io.phasewise.common.http.HttpEndpoint;
import io.phasewise.common.http.HttpLimits;
import io.phasewise.common.http.RequestHandler;
import io.phasewise.exporter.config.ExporterConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The endpoint of the exporter: /metrics and /marks, and /-/healthy for everybody. */
public final class ExporterEndpoint {

    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(60);

    private ExporterEndpoint() {}

    /**
     * Binds the address and serves.
     *
     * @param access who may read, asked at each request; the number of threads and the time for a
     *     request are those of now
     * @param metrics answers /metrics
     * @param marks answers /marks
     * @param errorLog takes a line when answering fails
     * @throws IOException when the address cannot be bound
     */
    public static HttpEndpoint start(
            InetSocketAddress address,
            Supplier<ExporterConfig> access,
            RequestHandler metrics,
            RequestHandler marks,
            Consumer<String> errorLog)
            throws IOException {
        ExporterConfig config = access.get();
        HttpEndpoint endpoint = HttpEndpoint.named("phasewise-exporter")
                .limits(new HttpLimits(
                        config.number("http.threads"), config.duration("http.request-timeout"), RESPONSE_TIMEOUT, 0))
                .tls(config.tls.map(any -> () -> access.get().tls.orElseThrow()))
                .basicAuth(
                        config.basicAuth.map(any -> () -> access.get().basicAuth.orElseThrow()))
                .faults(fault -> errorLog.accept("a request cannot be answered: " + fault))
                .get("/metrics", looking(access, metrics))
                .get("/marks", looking(access, marks))
                .open("/-/healthy", request -> Answer.text(200, "healthy\n"))
                .otherwise(request -> Answer.text(404, "not found; see /metrics\n"))
                .bind(address);
        endpoint.start();
        return endpoint;
    }

    /** Files are looked at when somebody asks, with or without a password. */
    private static RequestHandler looking(Supplier<ExporterConfig> access, RequestHandler handler) {
        return request -> {
            access.get();
            return handler.answer(request);
        };
    }
}
