/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.common.http.HttpEndpoint;
import io.phasewise.common.http.HttpLimits;
import io.phasewise.common.http.RequestHandler;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is made of a Prometheus server's answers. */
class PrometheusClientTest {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Instant NOW = Instant.ofEpochMilli(1_700_000_000_100L);

    @AutoClose
    private HttpEndpoint server;

    private PrometheusClient client;
    private volatile String asked;
    private volatile String answer;

    @BeforeEach
    void serve() throws IOException {
        RequestHandler prometheus = request -> {
            String form = new String(request.body(), StandardCharsets.UTF_8);
            asked = request.path()
                    + " "
                    + (form.isEmpty() ? request.query() : URLDecoder.decode(form, StandardCharsets.UTF_8));
            int status = answer.contains("error") ? 400 : 200;
            return io.phasewise.common.http.Answer.text(status, answer);
        };
        server = HttpEndpoint.named("prometheus")
                .limits(new HttpLimits(1, BOUND, BOUND, 1 << 16))
                .get("/api/v1/rules", prometheus)
                .post("/api/v1/query", prometheus)
                .post("/api/v1/query_range", prometheus)
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server.start();
        client = PrometheusClient.open(URI.create("http://127.0.0.1:" + server.port() + "/"));
    }

    @Test
    void readsAVectorAndLeavesHistogramsOut() throws Exception {
        answer = """
                {"status":"success","data":{"resultType":"vector","result":[
                  {"metric":{"__name__":"up","job":"kafka-broker"},"value":[1700000000.1,"1"]},
                  {"metric":{"job":"a"},"value":[1700000000.1,"NaN"]},
                  {"metric":{"job":"b"},"value":[1700000000.1,"+Inf"]},
                  {"metric":{"job":"c"},"histogram":[1700000000.1,{"count":"3"}]}]}}
                """;
        assertThat(client.query("up{job=~\"kafka-.+\"}").stream().map(Sample::toString))
                .containsExactly(
                        "{__name__=up, job=kafka-broker} 1.0 at " + NOW,
                        "{job=a} NaN at " + NOW,
                        "{job=b} Infinity at " + NOW);
        assertThat(asked).isEqualTo("/api/v1/query query=up{job=~\"kafka-.+\"}");
    }

    @Test
    void aRangeHasASampleForEachInstant() throws Exception {
        answer = """
                {"status":"success","data":{"resultType":"matrix","result":[
                  {"metric":{"leader":"1"},"values":[[1700000000.1,"1"],[1700000001.6,"2"]]}]}}
                """;
        Instant end = NOW.plusMillis(1_500);
        assertThat(client.range("x", NOW, end, Duration.ofMillis(1_500)).stream()
                        .map(Sample::toString))
                .containsExactly("{leader=1} 1.0 at " + NOW, "{leader=1} 2.0 at " + end);
        assertThat(asked)
                .startsWith("/api/v1/query_range ")
                .contains("query=x", "start=1700000000.100", "end=1700000001.600", "step=1.500");
    }

    @Test
    void whatTheServerSaysOfItselfIsPassedOn() throws Exception {
        answer = "{\"status\":\"success\",\"data\":{\"groups\":[{\"interval\":15}]}}";
        assertThat(client.data("rules?type=record").at("/groups/0/interval").asInt())
                .isEqualTo(15);
        assertThat(asked).isEqualTo("/api/v1/rules type=record");
    }

    @Test
    void aRefusalIsPassedOn() {
        answer = "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"parse error\"}";
        assertThatThrownBy(() -> client.query("up{"))
                .isInstanceOfSatisfying(RefusedException.class, refused -> {
                    assertThat(refused.status).isEqualTo(400);
                    assertThat(refused.body).isEqualTo(answer);
                })
                .hasMessageStartingWith("http://127.0.0.1:")
                .hasMessageEndingWith("/ answers 400: parse error");
    }

    @Test
    void aRefusalInAProxysWordsIsPassedOn() {
        answer = "error: no such host";
        assertThatThrownBy(() -> client.query("up")).hasMessageEndingWith(" 400: " + answer);
    }

    @Test
    void anAnswerOfAnotherShapeIsRefused() {
        answer = "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":"
                + "[{\"metric\":{},\"value\":[1,\"x\"]}]}}";
        assertThatThrownBy(() -> client.query("up"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(" did not answer as Prometheus does")
                .hasMessageEndingWith("unexpected answer: \"x\" instead of a number");
    }

    @Test
    void aHostThatDnsDoesNotKnowIsNamed() {
        assertThatThrownBy(() -> PrometheusClient.open(URI.create("http://prometheus.invalid:9090"))
                        .query("x"))
                .isInstanceOf(IOException.class)
                .hasMessage("http://prometheus.invalid:9090: the host is not known here (DNS, /etc/hosts)");
    }

    @Test
    void whoIsNotThereIsNamed() {
        assertThatThrownBy(() ->
                        PrometheusClient.open(URI.create("http://127.0.0.1:1")).query("x"))
                .isInstanceOf(IOException.class)
                .hasMessage("http://127.0.0.1:1: no connection")
                .hasCauseInstanceOf(ConnectException.class);
    }
}
