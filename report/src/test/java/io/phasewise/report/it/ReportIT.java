/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user runs it, on a real Prometheus that holds days whose truth is known. */
class ReportIT {

    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    @TempDir private static Path home;

    private static PortLease ports;
    private static ManagedProcess prometheus;
    private static KnownCluster cluster;

    @BeforeAll
    static void fillAPrometheus() throws Exception {
        ports = PortLease.take(2);
        prometheus =
                TestPrometheus.start(
                        ROOT,
                        home,
                        ports.port(0),
                        "global: {}\n",
                        List.of("--web.enable-remote-write-receiver"));
        HttpClient http = HttpClient.newHttpClient();
        TestPrometheus.awaitReady(prometheus, ports.port(0));
        cluster =
                new KnownCluster(
                        Instant.now()
                                .truncatedTo(ChronoUnit.DAYS)
                                .minus(Duration.ofDays(KnownCluster.DAYS)));
        cluster.write(new RemoteWrite(http, ServerSpecs.url(ports.port(0))));
    }

    @AfterAll
    static void stop() throws Exception {
        if (prometheus != null) {
            prometheus.close();
        }
        ports.close();
    }

    @Test
    void theReportSaysWhatIsTrue(@TempDir Path out) throws Exception {
        Launched ended =
                report(out, ports.port(0), KnownCluster.NAME, cluster.start(), cluster.end());
        assertThat(ended.status()).as(ended.output()).isZero();
        JsonNode review = new ObjectMapper().readTree(out.resolve("report.json").toFile());
        JsonNode latency = review.path("latency");
        for (JsonNode each : latency.path("endToEnd")) {
            double p = each.path("p").asDouble();
            if (p <= 0.999) {
                double exact = cluster.exact(p);
                assertThat(each.path("value").asDouble())
                        .as("percentile " + p)
                        .isCloseTo(exact, within(0.01 * exact));
            }
        }
        assertThat(latency.path("form").asText()).isEqualTo("RAW_NATIVE");
        assertThat(latency.path("dominating").get(0).asText()).isEqualTo("COMMIT");
        assertThat(latency.path("leaders").get(0).path("id").asText()).isEqualTo("3");
        assertThat(latency.path("leaders").get(0).path("standsOut").asBoolean()).isTrue();
        assertThat(latency.path("leaders").get(1).path("standsOut").asBoolean()).isFalse();
        JsonNode facts = review.path("facts");
        assertThat(facts.path("starvedBlocks").asInt()).isEqualTo(1);
        assertThat(facts.path("gaps")).hasSize(1);
        assertThat(Instant.parse(facts.path("gaps").get(0).path("from").asText()))
                .isEqualTo(cluster.start().plus(Duration.ofHours(58)));
        assertThat(texts(facts.path("versions"), "what")).containsExactly("4.1.2", "4.4.0");
        assertThat(texts(facts.path("changes"), "what")).containsExactly("linger_ms 0 -> 5");
        assertThat(review.path("incidents").path("count").asInt()).isEqualTo(2);
        JsonNode starved = review.path("incidents").path("worst").get(0);
        assertThat(starved.path("suspect").asText()).isEmpty();
        assertThat(starved.path("reason").asText()).contains("canary");
        JsonNode incident = review.path("incidents").path("worst").get(1);
        assertThat(Instant.parse(incident.path("start").asText()))
                .isBetween(
                        cluster.start().plus(Duration.ofMinutes(9005)),
                        cluster.start().plus(Duration.ofMinutes(9020)));
        assertThat(incident.path("part").asText()).isEqualTo("COMMIT");
        assertThat(incident.path("suspect").asText()).isEqualTo("2");
        JsonNode load = review.path("load");
        JsonNode trend = load.path("quantities").get(0).path("trend");
        assertThat(trend.path("factor").isNumber()).as("of one whole week").isFalse();
        assertThat(latency.path("slowSeconds").path("COMMIT").asDouble()).isPositive();
        assertThat(facts.path("starvedUnknown").asInt()).isZero();
        assertThat(load.path("headroom").asDouble()).isBetween(1.5, 3.0);
        JsonNode leaders = load.path("balance").get(0);
        assertThat(leaders.path("most").asDouble() / leaders.path("mean").asDouble())
                .isCloseTo(1.5, within(1e-6));
        assertThat(Files.readString(out.resolve("report.html")))
                .contains("Capacity review of orders")
                .doesNotContain("<script")
                .doesNotContain("http-equiv=\"refresh\"");
        assertThat(Files.readString(out.resolve("report.md"))).contains("| end to end |");
    }

    @Test
    void theComparisonFindsTheSlowerPublishAndNothingElse(@TempDir Path out) throws Exception {
        Instant change = cluster.start().plus(Duration.ofDays(4));
        Launched ended =
                report(
                        out,
                        ports.port(0),
                        KnownCluster.NAME,
                        change,
                        cluster.end(),
                        "--compare-from",
                        cluster.start().toString(),
                        "--compare-to",
                        change.toString());
        assertThat(ended.status()).as(ended.output()).isZero();
        JsonNode comparison =
                new ObjectMapper().readTree(out.resolve("report.json").toFile()).path("comparison");
        assertThat(comparison.path("alike").asBoolean()).as("four days after four").isFalse();
        for (JsonNode subject : comparison.path("subjects")) {
            String name = subject.path("name").asText();
            JsonNode median = subject.path("changes").get(0);
            if (name.equals("publish")) {
                assertThat(median.path("clear").asBoolean()).isTrue();
                assertThat(median.path("difference").path("factor").asDouble())
                        .isCloseTo(4 / 3.0, within(0.02));
            } else if (!name.equals("end_to_end")) {
                assertThat(median.path("clear").asBoolean()).as(name).isFalse();
            }
        }
    }

    @Test
    void aFleetIsShownWorstFirstWithItsSizes(@TempDir Path out) throws Exception {
        Launched ended = report(out, ports.port(0), cluster.start(), cluster.end(), "--fleet");
        assertThat(ended.status()).as(ended.output()).isZero();
        JsonNode fleet = new ObjectMapper().readTree(out.resolve("report.json").toFile());
        assertThat(texts(fleet.path("members"), "cluster"))
                .containsExactly(KnownCluster.NAME, KnownCluster.FAST);
        JsonNode worst = fleet.path("members").get(0);
        assertThat(worst.path("objective").path("budgetUsed").asDouble()).isGreaterThan(0.1);
        assertThat(worst.path("p99").path("value").asDouble())
                .isCloseTo(cluster.exact(0.99), within(0.01 * cluster.exact(0.99)));
        JsonNode fast = fleet.path("members").get(1);
        assertThat(fast.path("objective").path("budgetUsed").asDouble()).isZero();
        assertThat(fast.path("p99").path("high").asDouble())
                .isLessThan(worst.path("p99").path("low").asDouble());
        assertThat(fast.path("size").path("brokers").asInt()).isEqualTo(1);
        assertThat(texts(fleet.path("unmeasured"), "cluster"))
                .hasSize(1 + KnownCluster.DARK.length)
                .contains(KnownCluster.BARE, "dark-0");
        assertThat(fleet.path("total").path("brokers").asInt())
                .isEqualTo(3 + 1 + Arrays.stream(KnownCluster.DARK).sum());
        assertThat(Files.readString(out.resolve("report.html")))
                .contains("Capacity review of 15 clusters");
    }

    @Test
    void aFleetThatNoClusterBelongsToIsRefused(@TempDir Path out) throws Exception {
        assertRefused(
                report(out, ports.port(0), cluster.start(), cluster.end(), "--fleet=prod-.*"),
                "no canary's data of a cluster 'prod-.*'",
                "there is: bare, fast, orders");
        assertRefused(
                report(out, ports.port(0), cluster.start(), cluster.end(), "--fleet=bare"),
                "of none of 1 clusters is the latency known; bare: the server has no latency");
    }

    @Test
    void whatIsNotThereIsSaidAndLeavesAGoodReportAlone(@TempDir Path out) throws Exception {
        Files.writeString(out.resolve("report.html"), "good");
        Instant early = cluster.start().minus(Duration.ofDays(12));
        assertRefused(
                report(out, ports.port(0), "payments", cluster.start(), cluster.end()),
                "no cluster 'payments'",
                "bare, fast, orders");
        assertRefused(
                report(
                        out,
                        ports.port(0),
                        KnownCluster.NAME,
                        early,
                        early.plus(Duration.ofDays(2))),
                "at other times there is: bare, fast, orders");
        assertRefused(
                report(out, ports.port(0), KnownCluster.BARE, cluster.start(), cluster.end()),
                "no latency histograms of cluster 'bare'");
        assertRefused(
                report(out, ports.port(1), KnownCluster.NAME, cluster.start(), cluster.end()),
                "does not answer");
        try (var files = Files.list(out)) {
            assertThat(files).containsExactly(out.resolve("report.html"));
        }
        assertThat(out.resolve("report.html")).hasContent("good");
    }

    private static void assertRefused(Launched ended, String... parts) {
        assertThat(ended.status()).as(ended.output()).isEqualTo(2);
        assertThat(ended.output()).contains(parts).doesNotContain("Exception");
    }

    private static List<String> texts(JsonNode all, String field) {
        return StreamSupport.stream(all.spliterator(), false)
                .map(each -> each.path(field).asText())
                .toList();
    }

    private static Launched report(
            Path out, int port, String name, Instant from, Instant to, String... more)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("--cluster", name));
        options.addAll(List.of(more));
        return report(out, port, from, to, options.toArray(String[]::new));
    }

    private static Launched report(Path out, int port, Instant from, Instant to, String... more)
            throws IOException, InterruptedException {
        List<String> options =
                new ArrayList<>(
                        List.of(
                                "--prometheus",
                                ServerSpecs.url(port).toString(),
                                "--from",
                                from.toString(),
                                "--to",
                                to.toString(),
                                "--out",
                                out.toString()));
        options.addAll(List.of(more));
        return Launched.report(ROOT, home, options);
    }
}
