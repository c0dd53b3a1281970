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
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The command on a real Prometheus that holds two hours of one cluster, measured from two sites;
 * each probe of a canary takes the same time.
 */
class SitesIT {

    private static final Duration LENGTH = Duration.ofHours(2);
    private static final Duration STEP = Duration.ofSeconds(30);
    private static final long PROBES_A_STEP = 50;
    private static final Instant END = Instant.now().truncatedTo(ChronoUnit.HOURS);
    private static final Instant START = END.minus(LENGTH);

    /** Seconds of each phase; far publishing takes longer. */
    private static final Map<String, Double> NEAR = Map.of(
            "produce", 0.001,
            "publish", 0.002,
            "commit", 0.003,
            "catch_up", 0.0005,
            "fetch", 0.0015);

    private static final double FAR_PUBLISH = 0.042;

    @TempDir
    private static Path home;

    @AutoClose
    private static TestPrometheus prometheus;

    @BeforeAll
    static void fillAPrometheus() throws Exception {
        prometheus = TestPrometheus.start(home).awaitReady();
        RemoteWrite out = new RemoteWrite(HttpClient.newHttpClient(), prometheus.url(), Map.of());
        for (int step = 0; step <= LENGTH.dividedBy(STEP); step++) {
            tell(out, step, NEAR, "fra-1");
            tell(out, step, far(), "muc-2");
        }
        out.flush();
    }

    @ParameterizedTest
    @CsvSource({"fra-1, 0.002", "muc-2, " + FAR_PUBLISH})
    void eachSiteIsReviewedByItself(String site, double publish, @TempDir Path out) throws Exception {
        JsonNode review = report(out, START, END, "--site=" + site).review();

        assertThat(review.path("site").asText()).isEqualTo(site);
        assertMean(review, "PUBLISH", publish);
        double whole = 0.006 + publish;
        for (JsonNode each : review.at("/latency/endToEnd")) {
            assertThat(each.path("value").asDouble()).isCloseTo(whole, within(0.01 * whole));
        }
        double probes = review.at("/latency/objective/probes").asDouble();
        assertThat(probes).as("of one site").isCloseTo(PROBES_A_STEP * LENGTH.dividedBy(STEP), within(0.05 * probes));
        assertThat(Files.readString(out.resolve("report.md"))).contains("profile default, site " + site + ".");
    }

    @Test
    void aFleetIsReviewedFromOneSite(@TempDir Path out) throws Exception {
        JsonNode fleet = Launched.report(out, prometheus.url(), "--fleet", START, END, "--site=muc-2")
                .review();
        assertThat(fleet.path("site").asText()).isEqualTo("muc-2");
        assertThat(fleet.at("/members/0/p50/value").asDouble()).isCloseTo(0.048, within(0.0005));
    }

    private static void assertMean(JsonNode review, String phase, double seconds) {
        assertThat(review.at("/latency/means").path(phase).asDouble()).as(phase).isCloseTo(seconds, within(1e-6));
    }

    private static Launched report(Path out, Instant from, Instant to, String... options) throws Exception {
        return Launched.report(out, prometheus.url(), "--cluster=orders", from, to, options);
    }

    private static Map<String, Double> far() {
        Map<String, Double> phases = new TreeMap<>(NEAR);
        phases.put("publish", FAR_PUBLISH);
        return phases;
    }

    /** Counters and histograms of a canary. */
    private static void tell(RemoteWrite out, int step, Map<String, Double> phases, String site) {
        out.at(START.plus(STEP.multipliedBy(step)));
        long probes = PROBES_A_STEP * step;
        String canary = "cluster=orders,profile=default,site=" + site + ",job=kafka-canary,instance=canary:9470";
        String leader = canary + ",leader=1";
        double whole = phases.values().stream().mapToDouble(d -> d).sum();
        add(out, "end_to_end", leader, probes, whole);
        phases.forEach((phase, seconds) -> add(out, "phase", leader + ",phase=" + phase, probes, seconds));
        out.add("kafka_canary_slo_probes_total", leader + ",verdict=good", probes);
        out.add("kafka_canary_probes_total", leader + ",outcome=delivered", probes);
        out.add("kafka_canary_slo_target_seconds", canary, 1);
        out.add("kafka_canary_slo_objective_ratio", canary, 0.99);
    }

    private static void add(RemoteWrite out, String what, String labels, long probes, double seconds) {
        int bucket = (int) Math.ceil(Math.log(seconds) / Math.log(2) * 64);
        TreeMap<Integer, Long> counts = new TreeMap<>(Map.of(bucket, probes));
        out.add("kafka_canary_" + what + "_latency_seconds", labels, counts, probes * seconds);
    }
}
