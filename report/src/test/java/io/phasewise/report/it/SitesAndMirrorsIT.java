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
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command on a real Prometheus that holds two hours of one cluster, measured from two sites and
 * by profiles that are mirrored; each probe of a canary takes the same time.
 */
class SitesAndMirrorsIT {

    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final Duration LENGTH = Duration.ofHours(2);
    private static final Duration STEP = Duration.ofSeconds(30);
    private static final long PROBES_A_STEP = 50;
    private static final Instant END = Instant.now().truncatedTo(ChronoUnit.HOURS);
    private static final Instant START = END.minus(LENGTH);

    /** Seconds of each phase, and of the mirror where there is one; far publishing takes longer. */
    private static final Map<String, Double> NEAR =
            Map.of(
                    "produce", 0.001,
                    "publish", 0.002,
                    "commit", 0.003,
                    "catch_up", 0.0005,
                    "fetch", 0.0015);

    private static final double FAR_PUBLISH = 0.042;
    private static final double MIRROR = 0.2;

    @TempDir private static Path home;

    private static PortLease ports;
    private static ManagedProcess prometheus;

    @BeforeAll
    static void fillAPrometheus() throws Exception {
        ports = PortLease.take(1);
        prometheus =
                TestPrometheus.start(
                        ROOT,
                        home,
                        ports.port(0),
                        "global: {}\n",
                        List.of("--web.enable-remote-write-receiver"));
        TestPrometheus.awaitReady(prometheus, ports.port(0));
        RemoteWrite out =
                new RemoteWrite(HttpClient.newHttpClient(), ServerSpecs.url(ports.port(0)));
        for (int step = 0; step <= LENGTH.dividedBy(STEP); step++) {
            tell(out, step, NEAR, "default", "fra-1");
            tell(out, step, with("publish", FAR_PUBLISH), "default", "muc-2");
            tell(out, step, with("mirror", MIRROR), "to-fra", "");
            boolean later = step > LENGTH.dividedBy(STEP) / 2;
            tell(out, step, later ? with("mirror", MIRROR) : NEAR, "since", "");
        }
        out.flush();
    }

    @AfterAll
    static void stop() throws Exception {
        if (prometheus != null) {
            prometheus.close();
        }
        ports.close();
    }

    @Test
    void eachSiteIsReviewedByItself(@TempDir Path out) throws Exception {
        JsonNode near = reviewed(out.resolve("fra"), "--site=fra-1");
        JsonNode far = reviewed(out.resolve("muc"), "--site=muc-2");
        assertThat(near.path("site").asText()).isEqualTo("fra-1");
        assertThat(far.path("site").asText()).isEqualTo("muc-2");
        assertMean(near, "PUBLISH", 0.002);
        assertMean(far, "PUBLISH", FAR_PUBLISH);
        for (JsonNode each : near.path("latency").path("endToEnd")) {
            assertThat(each.path("value").asDouble()).isCloseTo(0.008, within(0.0001));
        }
        assertThat(far.path("latency").path("endToEnd").get(0).path("value").asDouble())
                .isCloseTo(0.048, within(0.0005));
        double probes = near.path("latency").path("objective").path("probes").asDouble();
        assertThat(probes)
                .as("of one site")
                .isCloseTo(PROBES_A_STEP * LENGTH.dividedBy(STEP), within(0.05 * probes));
        assertThat(Files.readString(out.resolve("fra/report.md")))
                .contains("profile default, site fra-1.");
    }

    @Test
    void severalSitesAreNotMixed(@TempDir Path out) throws Exception {
        Launched ended = report(out, "--cluster=orders");
        assertThat(ended.status()).as(ended.output()).isEqualTo(2);
        assertThat(ended.output())
                .contains("measured from several sites: fra-1, muc-2;")
                .contains("allowed: --site with one of them");
    }

    @Test
    void aFleetIsReviewedFromOneSite(@TempDir Path out) throws Exception {
        Launched ended = report(out, "--fleet", "--site=muc-2");
        assertThat(ended.status()).as(ended.output()).isZero();
        JsonNode fleet = new ObjectMapper().readTree(out.resolve("report.json").toFile());
        assertThat(fleet.path("site").asText()).isEqualTo("muc-2");
        assertThat(fleet.path("members").get(0).path("p50").path("value").asDouble())
                .isCloseTo(0.048, within(0.0005));
    }

    @Test
    void aMirroredProfileHasFivePhasesAndAMirrorThatAddUp(@TempDir Path out) throws Exception {
        JsonNode review =
                reviewed(
                        out,
                        "--profile=to-fra",
                        "--to=" + START.plus(Duration.ofHours(1)),
                        "--compare-from=" + START.plus(Duration.ofHours(1)),
                        "--compare-to=" + END);
        assertMean(review, "MIRROR", MIRROR);
        double sum = 0;
        for (JsonNode mean : review.path("latency").path("means")) {
            sum += mean.asDouble();
        }
        assertThat(review.path("latency").path("means")).hasSize(6);
        assertThat(sum).isCloseTo(0.208, within(1e-6));
        assertThat(review.path("latency").path("dominating").get(0).asText()).isEqualTo("MIRROR");
        assertThat(review.path("site").asText()).isEmpty();
        assertThat(Files.readString(out.resolve("report.md")))
                .contains("mirror has the longest tail of the five phases and the mirror")
                .contains("mirror p99");
    }

    @Test
    void whatWasMirroredInAPartOnlyIsRefused(@TempDir Path out) throws Exception {
        Launched ended = report(out, "--cluster=orders", "--profile=since");
        assertThat(ended.status()).as(ended.output()).isEqualTo(2);
        assertThat(ended.output())
                .contains("it was mirrored in a part of the window only")
                .contains("allowed: a window before or after that change");
        reviewed(out, "--profile=since", "--from=" + END.minus(Duration.ofMinutes(55)).toString());
    }

    private static void assertMean(JsonNode review, String phase, double seconds) {
        assertThat(review.path("latency").path("means").path(phase).asDouble())
                .as(phase)
                .isCloseTo(seconds, within(1e-6));
    }

    private static JsonNode reviewed(Path out, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of("--cluster=orders"));
        all.addAll(List.of(options));
        Launched ended = report(out, all.toArray(String[]::new));
        assertThat(ended.status()).as(ended.output()).isZero();
        return new ObjectMapper().readTree(out.resolve("report.json").toFile());
    }

    private static Launched report(Path out, String... options) throws Exception {
        List<String> all = new ArrayList<>();
        all.add("--prometheus=" + ServerSpecs.url(ports.port(0)));
        all.add("--out=" + out);
        List<String> given = List.of(options);
        if (given.stream().noneMatch(each -> each.startsWith("--from="))) {
            all.add("--from=" + START);
        }
        if (given.stream().noneMatch(each -> each.startsWith("--to="))) {
            all.add("--to=" + END);
        }
        all.addAll(given);
        return Launched.report(ROOT, home, all);
    }

    private static Map<String, Double> with(String phase, double seconds) {
        Map<String, Double> phases = new TreeMap<>(NEAR);
        phases.put(phase, seconds);
        return phases;
    }

    /** Counters and histograms of a canary; a phase that began later has counted since then. */
    private static void tell(
            RemoteWrite out, int step, Map<String, Double> phases, String profile, String site) {
        long now = START.plus(STEP.multipliedBy(step)).toEpochMilli();
        long probes = PROBES_A_STEP * step;
        double whole = phases.values().stream().mapToDouble(d -> d).sum();
        add(out, now, "end_to_end_latency_seconds", profile, site, "", probes, whole);
        phases.forEach(
                (phase, seconds) -> {
                    boolean mirror = phase.equals("mirror");
                    add(
                            out,
                            now,
                            (mirror ? "mirror" : "phase") + "_latency_seconds",
                            profile,
                            site,
                            mirror ? "" : phase,
                            probes,
                            seconds);
                });
        Map<String, String> slo = labels("slo_probes_total", profile, site);
        slo.put("leader", "1");
        slo.put("verdict", "good");
        out.add(slo, now, probes);
        Map<String, String> ended = labels("probes_total", profile, site);
        ended.put("leader", "1");
        ended.put("outcome", "delivered");
        out.add(ended, now, probes);
        out.add(labels("slo_target_seconds", profile, site), now, 1);
        out.add(labels("slo_objective_ratio", profile, site), now, 0.99);
    }

    private static void add(
            RemoteWrite out,
            long now,
            String name,
            String profile,
            String site,
            String phase,
            long probes,
            double seconds) {
        Map<String, String> labels = labels(name, profile, site);
        labels.put("leader", "1");
        if (!phase.isEmpty()) {
            labels.put("phase", phase);
        }
        int bucket = (int) Math.ceil(Math.log(seconds) / Math.log(2) * 64);
        out.add(labels, now, new TreeMap<>(Map.of(bucket, probes)), probes * seconds);
    }

    private static Map<String, String> labels(String name, String profile, String site) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("__name__", "kafka_canary_" + name);
        labels.put("cluster", "orders");
        labels.put("profile", profile);
        if (!site.isEmpty()) {
            labels.put("site", site);
        }
        return labels;
    }
}
