/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.web;

import io.phasewise.canary.config.HttpConfig;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.show.status.CanaryStatus;
import io.phasewise.canary.show.status.ClusterSuspects;
import io.phasewise.common.auth.BasicAuth;
import io.phasewise.common.auth.PasswordFile;
import io.phasewise.common.file.FileSource;
import io.phasewise.common.file.ReloadedValue;
import io.phasewise.common.file.UnusableFileException;
import io.phasewise.common.http.Answer;
import io.phasewise.common.http.HttpEndpoint;
import io.phasewise.common.http.SharedAnswers;
import io.phasewise.common.tls.ServerTls;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves metrics, health, readiness, status, suspects and the page; what they say is left to {@link
 * CanaryStatus} and the registry. Where there is a password, all but health and readiness needs it:
 * what restarts a process by these two has none.
 */
public final class WebServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);
    private static final String JSON = "application/json";

    private final HttpEndpoint endpoint;

    /**
     * Binds the port; serves nothing before {@link #start}.
     *
     * @param config where to listen, and who may read
     * @param registry what /metrics shows
     * @param series registers those of the endpoint
     * @param status what the rest shows
     * @param suspects what /suspects shows
     * @param nanoClock monotonic nanoseconds
     * @throws IOException when the port cannot be bound, the message says which and how to change
     *     it; or when a file cannot be used
     */
    public WebServer(
            HttpConfig config,
            PrometheusRegistry registry,
            SeriesRegistry series,
            Supplier<CanaryStatus> status,
            Supplier<List<ClusterSuspects>> suspects,
            LongSupplier nanoClock)
            throws IOException {
        Optional<ReloadedValue<ServerTls>> tls = Optional.empty();
        Optional<ReloadedValue<BasicAuth>> user = Optional.empty();
        // There is nothing to count where no files are read.
        if (config.tls().isPresent() || config.basicAuth().isPresent()) {
            Counter errors = series.counter("kafka_canary_http_reload_errors_total");
            if (config.tls().isPresent()) {
                tls = Optional.of(reloaded("tls", config.tls().get().source(), errors, "tls", nanoClock));
            }
            if (config.basicAuth().isPresent()) {
                PasswordFile file = config.basicAuth().get().source();
                user = Optional.of(reloaded("basic-auth", file, errors, "password", nanoClock));
            }
        }
        boolean forEverybody = user.isEmpty();
        StatusJson json = new StatusJson();
        SharedAnswers answers = new SharedAnswers(nanoClock);
        HttpEndpoint.Builder builder = HttpEndpoint.named("phasewise-canary")
                .tls(tls)
                .basicAuth(user)
                .faults(fault -> LOG.error("a request cannot be answered", fault))
                .open("/-/healthy", request -> Answer.text(200, "healthy\n"))
                .open("/-/ready", request -> readiness(status.get().notReady(), json, forEverybody))
                .get("/metrics", new MetricsPage(registry, answers))
                .get("/status", request -> answers.of(JSON, () -> Answer.of(200, JSON, json.write(status.get()))))
                .get(
                        "/suspects",
                        request -> answers.of("/suspects", () -> Answer.of(200, JSON, suspects(suspects, json))))
                .get("/", new Page());
        try {
            endpoint = builder.bind(new InetSocketAddress(config.host(), config.port()));
        } catch (IOException e) {
            throw new IOException(e.getMessage() + "; set canary.http.host, canary.http.port", e);
        }
    }

    private static byte[] suspects(Supplier<List<ClusterSuspects>> suspects, StatusJson json) {
        return json.write(new StatusJson.Suspects(StatusJson.SUSPECTS_VERSION, suspects.get()));
    }

    private static <T> ReloadedValue<T> reloaded(
            String section, FileSource<T> source, Counter errors, String kind, LongSupplier nanoClock)
            throws IOException {
        String key = "canary.http." + section;
        errors.initLabelValues(kind);
        try {
            return ReloadedValue.read(
                    source,
                    new ReloadedValue.Listener<>() {
                        @Override
                        public void reloaded(T value) {
                            LOG.info("{}: reloaded from its files", key);
                        }

                        @Override
                        public void refused(UnusableFileException why, boolean repeated) {
                            errors.labelValues(kind).inc();
                            if (!repeated) {
                                LOG.error(
                                        "{}.{}: the file {}; the earlier content stays in use",
                                        key,
                                        why.key(),
                                        why.getMessage());
                            }
                        }

                        @Override
                        public void hanging() {
                            errors.labelValues(kind).inc();
                            LOG.error("{}: its files do not answer; the earlier content stays in use", key);
                        }

                        @Override
                        public void answering() {
                            LOG.info("{}: its files answer again", key);
                        }
                    },
                    nanoClock);
        } catch (UnusableFileException e) {
            throw new IOException(key + "." + e.key() + ": the file " + e.getMessage(), e);
        }
    }

    /** Begins to serve. */
    public void start() {
        endpoint.start();
    }

    /** The port that is really bound, which matters when the configured one is 0. */
    public int port() {
        return endpoint.port();
    }

    @Override
    public void close() {
        endpoint.close();
    }

    private static Answer readiness(List<String> reasons, StatusJson json, boolean forEverybody) {
        if (!forEverybody) {
            // The reasons name brokers; /status has them.
            return reasons.isEmpty() ? Answer.text(200, "ready\n") : Answer.text(503, "not ready; /status says why\n");
        }
        return Answer.of(
                reasons.isEmpty() ? 200 : 503, JSON, json.write(new StatusJson.Readiness(reasons.isEmpty(), reasons)));
    }
}
