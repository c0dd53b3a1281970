/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.phasewise.lab.server.PrometheusClient.Sample;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is made of a Prometheus server's answers. */
class PrometheusClientTest {

    private HttpServer server;
    private PrometheusClient client;
    private volatile String asked;
    private volatile String answer;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    asked = exchange.getRequestURI().getQuery();
                    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(
                            answer.contains("error") ? 400 : 200, bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                });
        server.start();
        client =
                new PrometheusClient(
                        ServerSpecs.url(server.getAddress().getPort()), HttpClient.newHttpClient());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void readsAVectorAndLeavesHistogramsOut() throws Exception {
        answer =
                """
                {"status":"success","data":{"resultType":"vector","result":[
                  {"metric":{"__name__":"up","job":"kafka-broker"},"value":[1700000000.1,"1"]},
                  {"metric":{"job":"a"},"value":[1700000000.1,"NaN"]},
                  {"metric":{"job":"b"},"value":[1700000000.1,"+Inf"]},
                  {"metric":{"job":"c"},"histogram":[1700000000.1,{"count":"3"}]}]}}
                """;
        assertThat(client.query("up{job=~\"kafka-.+\"}"))
                .containsExactly(
                        new Sample(Map.of("__name__", "up", "job", "kafka-broker"), 1),
                        new Sample(Map.of("job", "a"), Double.NaN),
                        new Sample(Map.of("job", "b"), Double.POSITIVE_INFINITY));
        assertThat(asked).isEqualTo("query=up{job=~\"kafka-.+\"}");
    }

    @Test
    void readsAScalar() throws Exception {
        answer =
                "{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[1,\"2.5\"]}}";
        assertThat(client.query("scalar(x)")).containsExactly(new Sample(Map.of(), 2.5));
    }

    @Test
    void aRefusalIsPassedOn() {
        answer = "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"parse error\"}";
        assertThatThrownBy(() -> client.query("up{"))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("answers 400: parse error");
    }

    @Test
    void anAnswerOfAnotherShapeIsRefused() {
        answer = "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}";
        assertThatThrownBy(() -> client.query("up[1m]"))
                .isInstanceOf(IOException.class)
                .hasMessage("up[1m] gives a matrix, not an instant vector");
    }

    @Test
    void readsTargets() throws Exception {
        answer =
                """
                {"status":"success","data":{"activeTargets":[
                  {"labels":{"job":"kafka-canary","instance":"127.0.0.1:9470"},
                   "scrapeUrl":"http://127.0.0.1:9470/metrics","health":"down",
                   "lastError":"connection refused"}]}}
                """;
        assertThat(client.targets())
                .singleElement()
                .satisfies(
                        target -> {
                            assertThat(target.labels()).containsEntry("job", "kafka-canary");
                            assertThat(target.isUp()).isFalse();
                            assertThat(target.lastError()).isEqualTo("connection refused");
                        });
    }

    @Test
    void aMetricThatTwoGroupsRecordHasTheShorterInterval() throws Exception {
        answer =
                """
                {"status":"success","data":{"groups":[
                  {"interval":15,"rules":[{"name":"a"},{"name":"b"}]},
                  {"interval":5,"rules":[{"name":"a"}]}]}}
                """;

        assertThat(client.recordingIntervals())
                .containsOnly(
                        Map.entry("a", Duration.ofSeconds(5)),
                        Map.entry("b", Duration.ofSeconds(15)));
        assertThat(asked).isEqualTo("type=record");
    }
}
