/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.canary.config.HttpConfig;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.Passage;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.phases.ProbeObservation;
import io.phasewise.canary.probe.ledger.Breakdown;
import io.phasewise.canary.probe.ledger.LeaderCounts;
import io.phasewise.canary.probe.ledger.Outcome;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.show.slow.ProbeJournal;
import io.phasewise.canary.show.slow.SlowProbe;
import io.phasewise.canary.show.slow.UnseenProbe;
import io.phasewise.canary.show.status.CanaryStatus;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.show.status.SloStatus;
import io.phasewise.canary.show.status.Statuses;
import io.phasewise.canary.show.status.VerdictHistory;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.common.phase.Phase;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebServerTest {
    private static final Breakdown SPLIT =
            new Breakdown(
                    new Instants(5, 6, 8, 11, 15, 20),
                    new Instants(5, 6, 8, 11, 15, 20).breakdown(),
                    Optional.of(
                            new Breakdown.Marked(
                                    new Passage(
                                            7,
                                            7,
                                            ProbeObservation.UNKNOWN,
                                            8,
                                            new TreeMap<>(Map.of(3, 10L)),
                                            11,
                                            12),
                                    1,
                                    new PhaseBreakdown(1, 1, 4, 4, 5),
                                    false)));

    private static final SloStatus SLO =
            new SloStatus(
                    0.05,
                    0.875,
                    new VerdictHistory.Verdicts(300, 3, 1, 1),
                    new VerdictHistory.Verdicts(400, 0, 0, 0));

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final HttpClient client = HttpClient.newHttpClient();
    private List<ClusterStatus> clusters = List.of(status(true));
    private WebServer server;

    @BeforeEach
    void start() throws Exception {
        server = server(0);
        server.start();
    }

    private WebServer server(int port) throws IOException {
        return new WebServer(
                HttpConfig.open("127.0.0.1", port),
                registry,
                new SeriesRegistry(registry, Labels.EMPTY, List.of()),
                this::canary,
                System::nanoTime);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theStatusHasTheFieldsThatTheLauncherReads() throws Exception {
        String expected;
        try (InputStream file = getClass().getResourceAsStream("status.json")) {
            expected = new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }

        assertThat(json(get("/status").body())).isEqualTo(json(expected));
    }

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
    }

    @Test
    void readyOnlyWhenEveryMeasuredBrokerIs() throws Exception {
        assertThat(get("/-/ready").statusCode()).isEqualTo(200);

        clusters = List.of(status(true), status(false));

        HttpResponse<String> answer = get("/-/ready");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body())
                .isEqualTo(
                        "{\"ready\":false,\"reasons\":[\"cluster prod: no probe to broker 1"
                                + " came back recently\"]}");
    }

    @Test
    void aBrokerThatNoPartitionMeasuresDoesNotPreventReadiness() throws Exception {
        List<ClusterStatus.Broker> brokers =
                List.of(broker(1, 0, true, null), broker(9, null, false, null));
        clusters = List.of(status(ClusterStatus.State.RUNNING, List.of(), brokers, null));

        assertThat(get("/-/ready").statusCode()).isEqualTo(200);
    }

    @Test
    void aClusterThatWasNeverReachedIsHealthyButNotReadyAndSaysWhy() throws Exception {
        List<Problem> problems = List.of(new Problem("bootstrap-servers", "no answer"));
        clusters = List.of(status(ClusterStatus.State.FAILED, problems, List.of(), null));

        assertThat(get("/-/ready").body()).contains("cluster prod: bootstrap-servers: no answer");
        assertThat(get("/-/healthy").statusCode()).isEqualTo(200);
    }

    @Test
    void aMirroredProfileHasTheMirrorBesideThePhasesAndSaysWhereItIsRead() throws Exception {
        clusters = List.of(mirrored(ClusterStatus.State.RUNNING, Map.of(0, 7)));

        assertThat(get("/status").body())
                .contains(
                        "\"mirror\":{\"clusterId\":\"xyz\",\"topic\":\"prod.t\",\"leaders\":{\"0\":7}}")
                .contains("\"committed\":6,\"mirrored\":6,\"reached\":10")
                .contains("\"commit\":3,\"catch_up\":4,\"fetch\":5},\"mirrorNanos\":0")
                .contains(
                        "\"meanMirrorSeconds\":0.01",
                        "\"p50MirrorSeconds\":0.02",
                        "\"p99MirrorSeconds\":0.03");
        assertThat(get("/-/ready").statusCode()).isEqualTo(200);
    }

    @Test
    void aMirroredProfileIsNotReadyBeforeItsTopicIsThereAndSaysSo() throws Exception {
        clusters = List.of(mirrored(ClusterStatus.State.WAITING, Map.of()));

        assertThat(get("/-/ready").body())
                .contains("cluster prod: mirror.topic: there is none")
                .doesNotContain("another");
    }

    private static ClusterStatus mirrored(
            ClusterStatus.State state, Map<Integer, Integer> leaders) {
        return status(
                state,
                List.of(
                        new Problem("consumer", "another"),
                        new Problem("mirror.topic", "there is none")),
                List.of(broker(1, 0, true, new ClusterStatus.PartSeconds(0.01, 0.02, 0.03))),
                new ClusterStatus.Mirror("xyz", "prod.t", leaders));
    }

    @Test
    void metricsComeAsOpenMetricsAndAsProtobufWithNativeHistograms() throws Exception {
        Histogram.builder().name("latency_seconds").register(registry).observe(0.05);

        HttpResponse<String> text = get("/metrics", "application/openmetrics-text; version=1.0.0");
        HttpResponse<String> protobuf =
                get(
                        "/metrics",
                        "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
                                + "encoding=delimited;q=0.7,text/plain;q=0.3");

        assertThat(text.headers().firstValue("content-type").orElseThrow())
                .startsWith("application/openmetrics-text");
        assertThat(text.body()).contains("latency_seconds_count 1").endsWith("# EOF\n");
        assertThat(protobuf.headers().firstValue("content-type").orElseThrow())
                .startsWith("application/vnd.google.protobuf");
        assertThat(protobuf.body()).contains("latency_seconds").isNotEqualTo(text.body());
    }

    @Test
    void withoutJavaScriptThePageSaysWhereTheFiguresAre() throws Exception {
        assertThat(inside("noscript", get("/").body()))
                .contains(
                        "needs JavaScript",
                        "<a href=\"status\">/status</a>",
                        "<a href=\"metrics\">/metrics</a>");
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
        assertThat(page.body()).doesNotContain(" src=", "url(", "@import", " style=");
    }

    /** What others wrote is for the script alone, and CanaryPageIT asks what it makes of it. */
    @Test
    void thePageIsTheSameWhateverTheStatus() throws Exception {
        String before = get("/").body();
        clusters = List.of();

        assertThat(get("/").body()).isEqualTo(before).doesNotContain("{{");
    }

    private static String inside(String element, String html) {
        int from = html.indexOf('<' + element + '>') + element.length() + 2;
        return html.substring(from, html.indexOf("</" + element + '>', from));
    }

    private static String hash(String text) throws Exception {
        return "sha256-"
                + Base64.getEncoder()
                        .encodeToString(
                                MessageDigest.getInstance("SHA-256")
                                        .digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aTakenPortIsNamedWithTheKeyThatChangesIt() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThatIOException()
                    .isThrownBy(() -> server(taken.getLocalPort()))
                    .withMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort())
                    .withMessageContaining("canary.http.port");
        }
    }

    private HttpResponse<String> get(String path) throws Exception {
        return get(path, "*/*");
    }

    private HttpResponse<String> get(String path, String accept) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        HttpRequest request = HttpRequest.newBuilder(uri).header("Accept", accept).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static ClusterStatus status(boolean ready) {
        return status(
                ClusterStatus.State.RUNNING,
                List.of(new Problem("topic.name", "m")),
                List.of(broker(1, 0, ready, null)),
                null);
    }

    private static ClusterStatus status(
            ClusterStatus.State state,
            List<Problem> problems,
            List<ClusterStatus.Broker> brokers,
            ClusterStatus.Mirror mirror) {
        SlowProbe slow =
                new SlowProbe(
                        "00000000feedbeef-0-7",
                        1,
                        0,
                        99,
                        Outcome.DELIVERED,
                        Instant.parse("2026-01-02T03:04:05.000000006Z"),
                        SPLIT,
                        OptionalLong.of(7),
                        1,
                        2);
        UnseenProbe unseen =
                new UnseenProbe(
                        "00000000feedbeef-0-8",
                        1,
                        0,
                        Outcome.LOST,
                        Instant.parse("2026-01-02T03:04:05Z"),
                        OptionalLong.of(3),
                        OptionalLong.empty());
        return Statuses.status(
                "prod",
                "default",
                "cluster prod",
                "abc",
                state,
                problems,
                new ClusterStatus.Topic("t", 3, 2),
                8,
                brokers,
                42,
                new ProbeJournal.Entries(List.of(slow), List.of(unseen)),
                SLO,
                Map.of("acks", "all"),
                mirror);
    }

    private static ClusterStatus.Broker broker(
            int id, Integer partition, boolean ready, ClusterStatus.PartSeconds mirror) {
        Map<Phase, ClusterStatus.PartSeconds> phases = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            phases.put(phase, new ClusterStatus.PartSeconds(0.0002, 0.0001, 0.0003));
        }
        return new ClusterStatus.Broker(
                id,
                "h",
                9092,
                partition,
                partition != null,
                ready,
                new ClusterStatus.Window(60, 5, 0.001, Double.NaN, phases, mirror),
                9,
                1,
                new LeaderCounts.Outcomes(5, 1, 1, 1),
                0.00025);
    }

    private CanaryStatus canary() {
        return new CanaryStatus(
                "1.2.3",
                Optional.of("fra-1"),
                Instant.parse("2026-01-02T03:04:05Z"),
                Instant.parse("2026-01-02T04:00:00Z"),
                clusters);
    }
}
