/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user runs it, on a real Prometheus that holds days whose truth is known. */
class ReportIT {
    private static final String KNOWN = "--cluster=" + KnownCluster.NAME;

    @TempDir
    private static Path home;

    @AutoClose
    private static TestPrometheus prometheus;

    private static KnownCluster cluster;

    @BeforeAll
    static void fillAPrometheus() throws Exception {
        prometheus = TestPrometheus.start(home).awaitReady();
        Instant today = Instant.now().truncatedTo(ChronoUnit.DAYS);
        cluster = new KnownCluster(today.minus(Duration.ofDays(KnownCluster.DAYS)));
        cluster.write(new RemoteWrite(HttpClient.newHttpClient(), prometheus.url(), Map.of()));
    }

    @Test
    void theReportSaysWhatIsTrue(@TempDir Path out) throws Exception {
        JsonNode review = report(out, KNOWN).review();
        JsonNode latency = review.path("latency");
        cluster.assertPercentiles(latency, 0.999, 0.01);
        assertThat(latency.path("form").asText()).isEqualTo("RAW_NATIVE");
        assertThat(latency.at("/dominating/0").asText()).isEqualTo("COMMIT");
        assertThat(latency.at("/leaders/0/id").asText()).isEqualTo("3");
        assertThat(latency.at("/leaders/0/standsOut").asBoolean()).isTrue();
        assertThat(latency.at("/leaders/1/standsOut").asBoolean()).isFalse();
        JsonNode facts = review.path("facts");
        assertThat(facts.path("starvedBlocks").asInt()).isEqualTo(1);
        assertThat(facts.path("gaps")).hasSize(1);
        assertThat(Instant.parse(facts.at("/gaps/0/from").asText()))
                .isEqualTo(cluster.start().plus(Duration.ofHours(58)));
        assertThat(facts.path("versions").findValuesAsText("what")).containsExactly("4.1.2", "4.4.0");
        assertThat(facts.path("changes").findValuesAsText("what")).containsExactly("linger_ms 0 -> 5");
        assertThat(review.at("/incidents/count").asInt()).isEqualTo(2);
        JsonNode starved = review.at("/incidents/worst/0");
        assertThat(starved.path("suspect").asText()).isEmpty();
        assertThat(starved.path("reason").asText()).contains("canary");
        JsonNode incident = review.at("/incidents/worst/1");
        assertThat(Instant.parse(incident.path("start").asText()))
                .isBetween(
                        cluster.start().plus(Duration.ofMinutes(9005)),
                        cluster.start().plus(Duration.ofMinutes(9020)));
        assertThat(incident.path("phase").asText()).isEqualTo("COMMIT");
        assertThat(incident.path("suspect").asText()).isEqualTo("2");
        assertThat(incident.path("reason").asText()).isEqualTo("Broker 2, its disk, in commit");
        JsonNode load = review.path("load");
        JsonNode trend = load.at("/quantities/0/trend");
        assertThat(trend.path("factor").isNumber()).as("of one whole week").isFalse();
        assertThat(latency.at("/slowSeconds/COMMIT").asDouble()).isPositive();
        assertThat(facts.path("starvedUnknown").asInt()).isZero();
        assertThat(load.path("headroom").asDouble()).isBetween(1.5, 3.0);
        JsonNode leaders = load.at("/balance/0");
        assertThat(leaders.path("most").asDouble() / leaders.path("mean").asDouble())
                .isCloseTo(1.5, within(1e-6));
        assertThat(Files.readString(out.resolve("report.html"))).contains("Capacity review of orders");
        assertThat(Files.readString(out.resolve("report.md"))).contains("| end to end |");
    }

    @Test
    void theComparisonFindsTheSlowerPublishAndNothingElse(@TempDir Path out) throws Exception {
        Instant change = cluster.start().plus(Duration.ofDays(4));
        String[] earlier = {"--compare-from=" + cluster.start(), "--compare-to=" + change};
        Launched ended = Launched.report(out, prometheus.url(), KNOWN, change, cluster.end(), earlier);
        JsonNode comparison = ended.review().path("comparison");
        assertThat(comparison.path("alike").asBoolean())
                .as("four days after four")
                .isFalse();
        for (JsonNode subject : comparison.path("subjects")) {
            String name = subject.path("name").asText();
            JsonNode median = subject.at("/changes/0");
            if (name.equals("publish")) {
                assertThat(median.path("clear").asBoolean()).isTrue();
                assertThat(median.at("/difference/factor").asDouble()).isCloseTo(4 / 3.0, within(0.02));
            } else if (!name.equals("end_to_end")) {
                assertThat(median.path("clear").asBoolean()).as(name).isFalse();
            }
        }
    }

    @Test
    void aFleetIsShownWorstFirstWithItsSizes(@TempDir Path out) throws Exception {
        JsonNode fleet = report(out, "--fleet").review();
        assertThat(fleet.path("members").findValuesAsText("cluster"))
                .containsExactly(KnownCluster.NAME, KnownCluster.FAST);
        JsonNode worst = fleet.at("/members/0");
        assertThat(worst.at("/objective/budgetUsed").asDouble()).isGreaterThan(0.1);
        assertThat(worst.at("/p99/value").asDouble())
                .isCloseTo(cluster.exact(0.99), within(0.01 * cluster.exact(0.99)));
        JsonNode fast = fleet.at("/members/1");
        assertThat(fast.at("/objective/budgetUsed").asDouble()).isZero();
        assertThat(fast.at("/p99/high").asDouble())
                .isLessThan(worst.at("/p99/low").asDouble());
        assertThat(fast.at("/size/brokers").asInt()).isEqualTo(1);
        assertThat(fleet.path("unmeasured").findValuesAsText("cluster"))
                .hasSize(1 + KnownCluster.DARK.length)
                .contains(KnownCluster.BARE, "dark-0");
        assertThat(fleet.at("/total/brokers").asInt())
                .isEqualTo(3 + 1 + Arrays.stream(KnownCluster.DARK).sum());
        assertThat(Files.readString(out.resolve("report.html"))).contains("Capacity review of 15 clusters");
    }

    @Test
    void aFleetThatNoClusterBelongsToIsRefused(@TempDir Path out) throws Exception {
        report(out, "--fleet=prod-.*").assertRefused("no cluster 'prod-.*'", "there is: bare, fast, orders");
        report(out, "--fleet=bare")
                .assertRefused("the latency of none of 1 clusters is known; bare: the server has no latency");
    }

    @Test
    void whatIsNotThereIsSaidAndLeavesAGoodReportAlone(@TempDir Path out) throws Exception {
        Files.writeString(out.resolve("report.html"), "good");
        Instant early = cluster.start().minus(Duration.ofDays(12));
        Instant later = early.plus(Duration.ofDays(2));
        Launched.report(out, prometheus.url(), KNOWN, early, later)
                .assertRefused("since then there is: bare, fast, orders");
        assertThat(out.resolve("report.html")).hasContent("good");
    }

    private static Launched report(Path out, String what) throws Exception {
        return Launched.report(out, prometheus.url(), what, cluster.start(), cluster.end());
    }
}
