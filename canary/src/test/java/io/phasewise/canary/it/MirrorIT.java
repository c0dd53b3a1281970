/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.common.phase.Phase;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.series.SeriesKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.DoublePredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two real clusters of one broker each and a real MirrorMaker between them: probes are sent to the
 * one and read in the other, with MirrorMaker not there yet, running, stopped for moments, killed
 * and started again. Leaders that change are TargetLogTest's.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MirrorIT {
    private static final Duration BOUND = Duration.ofSeconds(120);
    private static final String MIRRORED = PhaseSums.profile("to-b");
    private static final String OWN = PhaseSums.profile("default");
    private static final String TOPIC_THERE = "a.phasewise-canary-to-b";
    private static final int BROKER = 1;
    private static final String COUNT = "kafka_canary_end_to_end_latency_seconds_count";
    private static final String MIRROR = "kafka_canary_mirror_latency_seconds";
    private static final String PROBES = "kafka_canary_probes_total";
    private static final String IN_FLIGHT = "kafka_canary_probes_in_flight";

    private KafkaCluster source;
    private KafkaCluster target;
    private MirrorMaker mirrorMaker;
    private EmbeddedCanary canary;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        source = cluster(directory.resolve("source"));
        target = cluster(directory.resolve("target"));
        source.prepare();
        target.prepare();
        source.launch();
        target.launch();
        source.awaitReady();
        target.awaitReady();
        mirrorMaker = new MirrorMaker(directory, source.bootstrap(), target.bootstrap());
        mirrorMaker.start();
        canary =
                EmbeddedCanary.started(
                        clusterWithAMirroredProfile("phasewise-canary"), System::nanoTime);
    }

    /**
     * The configuration of a canary.
     *
     * @param topic MirrorMaker copies those that begin with phasewise-canary
     */
    private Map<String, Object> clusterWithAMirroredProfile(String topic) {
        return Map.of(
                "bootstrap-servers",
                source.bootstrap(),
                "topic",
                Map.of("name", topic, "replication-factor", 1),
                "probe",
                Map.of("rate", 10),
                "profiles",
                Map.of(
                        "to-b",
                        Map.of(
                                "probe",
                                Map.of("rate", 20),
                                "deadline",
                                "5s",
                                "loss-horizon",
                                "8s",
                                "mirror",
                                Map.of(
                                        "bootstrap-servers",
                                        target.bootstrap(),
                                        "source-alias",
                                        "a"))));
    }

    private static KafkaCluster cluster(Path directory) {
        return KafkaCluster.builder(Path.of(System.getProperty("phasewise.root")), directory)
                .shortLived()
                .brokers(1)
                .stopGrace(Duration.ZERO)
                .build();
    }

    @AfterAll
    void stop() throws Exception {
        if (canary != null) {
            canary.close();
        }
        if (mirrorMaker != null) {
            mirrorMaker.close();
        }
        target.close();
        source.close();
    }

    @BeforeEach
    void allIsWell() throws Exception {
        if (!mirrorMaker.isAlive()) {
            mirrorMaker.start();
        }
        await("the topic is in the target, and mirrored")
                .atMost(BOUND)
                .untilAsserted(
                        () ->
                                assertThat(canary.pages().ready())
                                        .as(canary.pages().readiness() + mirrorMaker.tail())
                                        .isTrue());
        stampInTheTarget("LogAppendTime");
        await("no problem").atMost(BOUND).until(() -> problems().equals("[]"));
    }

    @Test
    void beforeTheTopicIsInTheTargetNothingIsSentAndThatIsSaid() throws Exception {
        try (EmbeddedCanary early =
                EmbeddedCanary.started(
                        clusterWithAMirroredProfile("not-mirrored"), System::nanoTime)) {
            await("the cluster's own profile works, the other one waits")
                    .atMost(BOUND)
                    .untilAsserted(
                            () -> {
                                assertThat(early.pages().scrape().sum(COUNT, OWN))
                                        .isGreaterThan(20);
                                assertThat(status(early).get("state").asText())
                                        .isEqualTo("waiting");
                            });
            assertThat(early.pages().readiness())
                    .contains(
                            "mirror.topic: topic a.not-mirrored-to-b does not exist in the target");
            Scrape scrape = early.pages().scrape();
            assertThat(scrape.sum("kafka_canary_probes_scheduled_total", MIRRORED)).isZero();
        }
    }

    @Test
    void aTargetThatDoesNotStampIsNamed() throws Exception {
        stampInTheTarget("CreateTime");

        await("said that the target does not stamp")
                .atMost(BOUND)
                .until(() -> problems().contains("carry no LogAppendTime of the target"));
    }

    @Test
    void whatMirrorMakerCopiesComesBackWithItsTimeInTheMirrorBesideThePhases() {
        Scrape from = canary.pages().scrape();
        Scrape to = canary.pages().awaitProbes(from, 40, List.of(MIRRORED), BROKER);

        assertThat(mirror(from, to)).isPositive();
        assertThat(means(from, to).get(Phase.PUBLISH)).as("told by acknowledgements").isPositive();
        assertThat(to.sum("kafka_canary_mirror_uncertainty_seconds", MIRRORED)).isPositive();
        assertThat(
                        to.sum(
                                "kafka_canary_mirror_partition_leader_info",
                                MIRRORED,
                                "target_leader=\"1\""))
                .isEqualTo(1);
        assertThat(to.text()).doesNotContain("phase=\"mirror\"");
        assertThat(to.sum(MIRROR + "_count", OWN)).isZero();
        phasesSumAndProbesAreAccountedFor();
        JsonNode slow = status(canary).get("slowestProbes").get(0);
        long sum = slow.get("mirrorNanos").asLong();
        for (JsonNode nanos : slow.get("phaseNanos")) {
            sum += nanos.asLong();
        }
        assertThat(sum).isEqualTo(slow.get("endToEndNanos").asLong());
        assertThat(slow.get("phaseNanos").size()).isEqualTo(5);
    }

    @Test
    void itsSeriesAreAsManyAsTheDocumentationSays() {
        for (boolean classic : new boolean[] {false, true}) {
            Map<SeriesKind, Integer> mirrored = series(MIRRORED, classic);
            Map<SeriesKind, Integer> own = series(OWN, classic);
            assertThat(mirrored.get(SeriesKind.MIRRORED_LEADER))
                    .isBetween(3, SeriesKind.MIRRORED_LEADER.budget(classic));
            for (SeriesKind kind : List.of(SeriesKind.PROFILE, SeriesKind.LEADER)) {
                assertThat(mirrored.get(kind) - own.get(kind))
                        .as(kind.title())
                        .isLessThanOrEqualTo(kind.mirroredBesides());
            }
            assertThat(own).doesNotContainKey(SeriesKind.MIRRORED_LEADER);
        }
    }

    /** As a Prometheus would have them; a native histogram is one series. */
    private Map<SeriesKind, Integer> series(String of, boolean classic) {
        Set<String> histograms = new HashSet<>();
        Matcher types =
                Pattern.compile("# TYPE (\\w+) histogram").matcher(canary.pages().scrape().text());
        while (types.find()) {
            histograms.add(types.group(1));
        }
        Map<SeriesKind, Integer> series = new EnumMap<>(SeriesKind.class);
        for (String each : canary.pages().scrape().values().keySet()) {
            if (!each.contains(of)) {
                continue;
            }
            String name = each.substring(0, each.indexOf('{'));
            boolean ofNative =
                    histograms.contains(name.replaceFirst("_(bucket|sum|count)$", ""))
                            && !name.endsWith("_count");
            if (classic || !ofNative) {
                Map<String, String> labels = new HashMap<>();
                Matcher label = Pattern.compile("(\\w+)=\"([^\"]*)\"").matcher(each);
                while (label.find()) {
                    labels.put(label.group(1), label.group(2));
                }
                labels.put("__name__", name);
                labels.put("job", "kafka-canary");
                series.merge(SeriesKind.of(labels).orElseThrow(), 1, Integer::sum);
            }
        }
        return series;
    }

    @Test
    void mirrorMakerThatStandsStillIsMirrorAndNothingElse() throws Exception {
        Scrape before = canary.pages().scrape();
        Scrape from = canary.pages().awaitProbes(before, 50, List.of(MIRRORED), BROKER);
        Map<Phase, Double> usual = means(before, from);
        double usualMirror = mirror(before, from);
        double injected = 0;
        long began = System.nanoTime();
        try (Signals signals = new Signals()) {
            for (int round = 0; round < 3; round++) {
                long at = System.nanoTime();
                signals.send("STOP", mirrorMaker.pid());
                try {
                    awaitInFlight("a second and a half of probes wait", n -> n >= 30);
                } finally {
                    signals.send("CONT", mirrorMaker.pid());
                }
                double millis = (System.nanoTime() - at) / 1e6;
                injected += millis * millis / 2;
                awaitInFlight("what waited is there", n -> n < 5);
            }
        }
        double length = (System.nanoTime() - began) / 1e6;
        Scrape to = canary.pages().scrape();

        // A probe of a standstill of length d waits d / 2 on the mean.
        double expected = injected / length;
        assertThat(PhaseSums.total(usual) + usualMirror)
                .as(
                        "cannot be judged: without any standstill a probe takes %s and %.2f ms in"
                                + " the mirror, too much to see %.0f ms more",
                        PhaseSums.line(usual), usualMirror, expected)
                .isLessThan(expected / 2);
        Map<Phase, Double> added = new EnumMap<>(Phase.class);
        means(from, to).forEach((phase, mean) -> added.put(phase, mean - usual.get(phase)));
        assertThat(mirror(from, to) - usualMirror)
                .as("%.0f ms to be added; to the phases %s", expected, PhaseSums.line(added))
                .isGreaterThan(0.7 * expected);
        assertThat(PhaseSums.total(added))
                .as(
                        "%.0f ms to be added to the mirror, nothing to the phases; added %s",
                        expected, PhaseSums.line(added))
                .isCloseTo(0, within(0.3 * expected));
        phasesSumAndProbesAreAccountedFor();
    }

    private void awaitInFlight(String what, DoublePredicate probes) {
        await(what)
                .atMost(BOUND)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> probes.test(canary.pages().scrape().sum(IN_FLIGHT, MIRRORED)));
    }

    @Test
    void withoutMirrorMakerProbesAreLostAndWithItTheyComeBackAgain() throws Exception {
        Scrape before = canary.pages().scrape();
        mirrorMaker.kill();
        await("lost, and said why")
                .atMost(BOUND)
                .untilAsserted(
                        () -> {
                            Scrape now = canary.pages().scrape();
                            assertThat(lost(before, now, MIRRORED)).isGreaterThan(5);
                            assertThat(problems()).contains("MirrorMaker has stopped");
                            assertThat(canary.pages().ready()).isFalse();
                        });
        assertThat(lost(before, canary.pages().scrape(), OWN))
                .as("the source itself is well")
                .isZero();

        mirrorMaker.start();
        await("ready again").atMost(BOUND).until(() -> canary.pages().ready());
        Scrape from = canary.pages().scrape();
        canary.pages().awaitProbes(from, 20, List.of(MIRRORED), BROKER);
        await("nothing to say any more")
                .atMost(BOUND)
                .until(() -> !problems().contains("MirrorMaker has stopped"));
        Scrape after = canary.pages().scrape();
        assertThat(grown(before, after, "kafka_canary_resurfaced_total"))
                .as("what waited in the source")
                .isPositive();
        assertThat(grown(before, after, "kafka_canary_duplicates_total"))
                .as("copied again, as MirrorMaker notes only once a minute how far it is")
                .isPositive();
        assertThat(after.sum("kafka_canary_out_of_order_total", MIRRORED)).isZero();
        phasesSumAndProbesAreAccountedFor();
    }

    private static double lost(Scrape from, Scrape to, String of) {
        String lost = "outcome=\"lost\"";
        return to.sum(PROBES, of, lost) - from.sum(PROBES, of, lost);
    }

    private static double grown(Scrape from, Scrape to, String family) {
        return to.sum(family, MIRRORED) - from.sum(family, MIRRORED);
    }

    private void phasesSumAndProbesAreAccountedFor() {
        await("phases and mirror sum to the end-to-end latency, and every probe is accounted for")
                .atMost(BOUND)
                .untilAsserted(
                        () -> {
                            Scrape scrape = canary.pages().scrape();
                            double ends = 0;
                            for (String profile : List.of(MIRRORED, OWN)) {
                                ends = scrape.sum(COUNT.replace("count", "sum"), profile);
                                assertThat(
                                                scrape.sum(PhaseSums.FAMILY + "_sum", profile)
                                                        + scrape.sum(MIRROR + "_sum", profile))
                                        .as(profile)
                                        .isCloseTo(ends, within(1e-6 * ends));
                            }
                            assertThat(CanaryPages.conserved(scrape, BROKER)).isTrue();
                        });
    }

    private void stampInTheTarget(String whose) throws Exception {
        target.admin()
                .incrementalAlterConfigs(
                        Map.of(
                                new ConfigResource(ConfigResource.Type.TOPIC, TOPIC_THERE),
                                List.of(
                                        new AlterConfigOp(
                                                new ConfigEntry("message.timestamp.type", whose),
                                                AlterConfigOp.OpType.SET))))
                .all()
                .get(30, TimeUnit.SECONDS);
    }

    private static Map<Phase, Double> means(Scrape from, Scrape to) {
        return PhaseSums.between(from, to, MIRRORED, BROKER).means();
    }

    /** The mean time in the mirror, milliseconds. */
    private static double mirror(Scrape from, Scrape to) {
        return grown(from, to, MIRROR + "_sum") / grown(from, to, MIRROR + "_count") * 1e3;
    }

    private static JsonNode status(EmbeddedCanary canary) {
        for (JsonNode each : canary.pages().status().get("clusters")) {
            if (each.get("profile").asText().equals("to-b")) {
                return each;
            }
        }
        throw new IllegalStateException("no such profile");
    }

    private String problems() {
        return status(canary).get("problems").toString();
    }
}
