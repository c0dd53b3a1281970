/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.web;

import static io.phasewise.canary.show.status.ClusterStatus.State.FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.show.status.MadeUpStatus;
import io.phasewise.canary.show.status.MadeUpStatus.MadeUpBroker;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.common.file.JarResource;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebServerTest {
    private static final MadeUpBroker READY = new MadeUpBroker(1, 0, true, 0.012);
    private static final MadeUpBroker SILENT = new MadeUpBroker(1, 0, false, 0.012);

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final HttpClient client = HttpClient.newHttpClient();
    private List<ClusterStatus> clusters = List.of(with(READY));
    private WebServer server;

    @BeforeEach
    void start() throws Exception {
        server = MadeUpServer.open(registry, () -> clusters);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theStatusHasTheFieldsThatTheLauncherReads() throws Exception {
        Problem problem = new Problem("topic.name", "m");
        clusters = List.of(new MadeUpStatus("prod")
                .problems(problem)
                .brokers(READY, MadeUpStatus.UNKNOWN)
                .make());
        String expected = JarResource.text(WebServerTest.class, "status.json");

        assertThat(json(get("/status").body())).isEqualTo(json(expected));
    }

    @Test
    void suspectsAreServedWithTheVersionOfTheirForm() throws Exception {
        HttpResponse<String> answer = get("/suspects");
        JsonNode status = json(JarResource.text(WebServerTest.class, "status.json"));

        assertThat(answer.headers().firstValue("content-type")).contains("application/json");
        assertThat(json(answer.body()))
                .isEqualTo(new ObjectMapper()
                        .createObjectNode()
                        .put("version", 1)
                        .set("clusters", status.get("suspects")));
    }

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
    }

    @Test
    void readyOnlyWhenEveryMeasuredBrokerIs() throws Exception {
        clusters = List.of(with(READY, new MadeUpBroker(9, null, false, 0.012)));
        assertThat(get("/-/ready").statusCode()).as("9 is not measured").isEqualTo(200);
        clusters = List.of(with(READY), with(SILENT));
        HttpResponse<String> answer = get("/-/ready");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body())
                .isEqualTo("{\"ready\":false,\"reasons\":[\"cluster prod: no probe to broker 1 came back recently\"]}");
        clusters = List.of(with(new MadeUpBroker(7, 0, false, 0.012, "kafka-7.example:24211: unknown host")));
        assertThat(get("/-/ready").body())
                .contains("cluster prod: cannot connect to broker 7 at kafka-7.example:24211: unknown host");
        Problem problem = new Problem("bootstrap-servers", "no answer");
        clusters = List.of(new MadeUpStatus("far")
                .state(FAILED)
                .problems(problem)
                .brokers()
                .make());
        assertThat(get("/-/ready").body()).contains("cluster far: bootstrap-servers: no answer");
        assertThat(get("/-/healthy").statusCode()).isEqualTo(200);
    }

    @Test
    void metricsComeAsOpenMetricsAndAsProtobufWithNativeHistograms() throws Exception {
        Histogram.builder().name("latency_seconds").register(registry).observe(0.05);

        HttpResponse<String> text = get("/metrics", "application/openmetrics-text; version=1.0.0");
        HttpResponse<String> protobuf = get(
                "/metrics",
                "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
                        + "encoding=delimited;q=0.7,text/plain;q=0.3");

        assertThat(text.headers().firstValue("content-type").orElseThrow()).startsWith("application/openmetrics-text");
        assertThat(text.body()).contains("latency_seconds_count 1").endsWith("# EOF\n");
        assertThat(protobuf.headers().firstValue("content-type").orElseThrow())
                .startsWith("application/vnd.google.protobuf");
        assertThat(protobuf.body()).contains("latency_seconds").isNotEqualTo(text.body());
    }

    @Test
    void withoutJavaScriptThePageSaysWhereTheFiguresAre() throws Exception {
        assertThat(inside("noscript", get("/").body()))
                .contains("needs JavaScript", "<a href=\"status\">/status</a>", "<a href=\"metrics\">/metrics</a>");
    }

    @Test
    void thePageLetsOnlyItsOwnScriptRunAndAsksNobodyElse() throws Exception {
        HttpResponse<String> page = get("/");
        String policy = page.headers().firstValue("content-security-policy").orElseThrow();

        assertThat(policy)
                .contains("default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(policy).contains("script-src '" + hash(inside("script", page.body())) + "'");
        assertThat(policy).contains("style-src '" + hash(inside("style", page.body())) + "'");
        assertThat(page.headers().firstValue("x-content-type-options")).contains("nosniff");
        assertThat(page.body()).doesNotContain(" src=", "url(", "@import", " style=", "{{");
        // What others wrote is for the script alone, and CanaryPageIT asks what it makes of it.
        clusters = List.of();
        assertThat(get("/").body()).isEqualTo(page.body());
    }

    private static String inside(String element, String html) {
        int from = html.indexOf('<' + element + '>') + element.length() + 2;
        return html.substring(from, html.indexOf("</" + element + '>', from));
    }

    private static String hash(String text) throws Exception {
        return "sha256-"
                + Base64.getEncoder()
                        .encodeToString(
                                MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return get(path, "*/*");
    }

    private HttpResponse<String> get(String path, String accept) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        HttpRequest request =
                HttpRequest.newBuilder(uri).header("Accept", accept).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static ClusterStatus with(MadeUpBroker... brokers) {
        return new MadeUpStatus("prod").brokers(brokers).make();
    }
}
