/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.config.HttpConfig;
import io.phasewise.common.prometheus.Access;
import io.phasewise.lab.security.CertificateAuthority;
import io.phasewise.lab.security.TlsFiles;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may read the endpoint, and that new files are reloaded. */
class GuardedEndpointTest {
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final String RIGHT = Access.basic("scraper", "right");

    @TempDir
    Path directory;

    private final AtomicLong nanos = new AtomicLong();
    private WebServer server;

    @BeforeEach
    void serve() throws Exception {
        CertificateAuthority authority = new CertificateAuthority("test", Clock.systemUTC());
        TlsFiles.writeTrustPem(path("ca.pem"), authority.certificate());
        TlsFiles.writeKeyPem(path("server.pem"), authority.issueForThisHost("server"));
        Files.writeString(path("password"), "right\n");
        HttpConfig.Tls tls = new HttpConfig.Tls(path("server.pem"), path("server.pem"), Optional.empty());
        HttpConfig.BasicAuth user = new HttpConfig.BasicAuth("scraper", path("password"));
        HttpConfig http = new HttpConfig("127.0.0.1", 0, Optional.of(tls), Optional.of(user));
        server = MadeUpServer.start(http, new PrometheusRegistry(), List::of, nanos::get);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/metrics", "/status", "/suspects"})
    void asksForUserAndPassword(String path) throws Exception {
        assertThat(get(path, "").statusCode()).isEqualTo(401);
        assertThat(get(path, RIGHT).statusCode()).isEqualTo(200);
        assertThat(get("/-/healthy", "").statusCode()).isEqualTo(200);
        assertThat(get("/-/ready", "").body()).as("tells nothing").isEqualTo("ready\n");
    }

    @Test
    void filesThatBecomeUnusableAreCountedAndTheFormerContentStaysInUse() throws Exception {
        Files.writeString(path("server.pem"), "half written");
        Files.writeString(path("password"), "");
        nanos.addAndGet(LOOK.toNanos());

        assertThat(get("/metrics", RIGHT).body())
                .contains("kafka_canary_http_reload_errors_total{kind=\"password\"} 1.0")
                .contains("kafka_canary_http_reload_errors_total{kind=\"tls\"} 1.0");
        Files.writeString(path("password"), "newer");
        nanos.addAndGet(LOOK.toNanos());
        assertThat(get("/metrics", RIGHT).statusCode()).isEqualTo(401);
        assertThat(get("/metrics", Access.basic("scraper", "newer")).statusCode())
                .isEqualTo(200);
    }

    private Path path(String name) {
        return directory.resolve(name);
    }

    /** On a connection of its own. */
    private HttpResponse<String> get(String path, String authorization) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + path))
                .timeout(Duration.ofSeconds(30));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return Access.client(Optional.of(path("ca.pem")), Optional.empty(), "")
                .send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
