/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static io.phasewise.canary.it.RunningCanary.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.common.phase.Phase;
import io.phasewise.lab.junit.ScrapedPage.Sample;
import io.phasewise.lab.junit.SeriesKind;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    private static final String MIRRORED = "profile=to-b";
    private static final String OWN = "profile=default";
    private static final String TOPIC_THERE = "a.phasewise-canary-to-b";
    private static final int BROKER = 1;
    private static final String MIRROR = "kafka_canary_mirror_latency_seconds";

    private KafkaCluster source;
    private KafkaCluster target;
    private MirrorMaker mirrorMaker;
    private RunningCanary canary;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        source = TestClusters.own(directory.resolve("source"), 1, "", more -> more);
        target = TestClusters.own(directory.resolve("target"), 1, "", more -> more);
        source.start();
        target.start();
        mirrorMaker = new MirrorMaker(directory, source.bootstrap(), target.bootstrap());
        mirrorMaker.start();
        canary = canary("phasewise-canary");
    }

    /**
     * A canary with a mirrored profile.
     *
     * @param topic MirrorMaker copies those that begin with phasewise-canary
     */
    private RunningCanary canary(String topic) throws Exception {
        String config = """
                clusters:
                  it:
                    bootstrap-servers: %s
                    topic: {name: %s, replication-factor: 1}
                    probe: {rate: 10}
                    profiles:
                      to-b:
                        probe: {rate: 20}
                        deadline: 5s
                        loss-horizon: 8s
                        mirror: {bootstrap-servers: "%s", source-alias: a}
                """.formatted(source.bootstrap(), topic, target.bootstrap());
        return RunningCanary.embedded(config);
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary, mirrorMaker, target, source);
    }

    @BeforeEach
    void allIsWell() throws Exception {
        if (!mirrorMaker.isAlive()) {
            mirrorMaker.start();
        }
        awaitThat(
                "the topic is in the target, and mirrored",
                () -> assertThat(canary.ready())
                        .as(canary.readiness() + mirrorMaker.process().tail(40))
                        .isTrue());
        stampInTheTarget("LogAppendTime");
        RunningCanary.await("no problem", () -> problems().equals("[]"));
    }

    @Test
    void beforeTheTopicIsInTheTargetNothingIsSentAndThatIsSaid() throws Exception {
        try (RunningCanary early = canary("not-mirrored")) {
            early.await(
                    "the cluster's own profile works, the other one waits",
                    now -> now.sum(PhaseMeans.END_TO_END + "_count", OWN) > 20
                            && early.profile("to-b").get("state").asText().equals("waiting"));
            assertThat(early.readiness())
                    .contains("mirror.topic: topic a.not-mirrored-to-b does not exist in the target");
            assertThat(early.scrape().sum("kafka_canary_probes_scheduled_total", MIRRORED))
                    .isZero();
        }
    }

    @Test
    void aTopicOfTheTargetThatIsNotTheCopyIsNotRead() throws Exception {
        target.createTopic("orders", 1, 1, Map.of());
        String config = """
                clusters:
                  it:
                    bootstrap-servers: %s
                    topic: {name: not-copied, replication-factor: 1}
                    profiles: {to-b: {mirror: {bootstrap-servers: "%s", topic: orders}}}
                """.formatted(source.bootstrap(), target.bootstrap());
        try (RunningCanary other = RunningCanary.embedded(config)) {
            awaitThat(
                    "said",
                    () -> assertThat(other.readiness())
                            .contains("topic orders of the target cluster is not read", "has not the mark"));
            assertThat(other.profile("to-b").get("state").asText()).isEqualTo("waiting");
            Scrape scrape =
                    other.await("the own profile works", now -> now.sum(PhaseMeans.END_TO_END + "_count", OWN) > 20);
            assertThat(scrape.sum("kafka_canary_probes_scheduled_total", MIRRORED))
                    .isZero();
            assertThat(scrape.text().lines().filter(line -> line.contains("profile=\"to-b\"")))
                    .noneMatch(line -> line.startsWith("kafka_consumer_fetch_manager_records_consumed_total")
                            && !line.endsWith(" 0.0"));
        }
    }

    @Test
    void aTargetThatDoesNotStampIsNamed() throws Exception {
        stampInTheTarget("CreateTime");

        RunningCanary.await(
                "said that the target does not stamp",
                () -> problems().contains("carry no LogAppendTime of the target"));
    }

    @Test
    void whatMirrorMakerCopiesComesBackWithItsTimeInTheMirrorBesideThePhases() {
        Scrape from = canary.scrape();
        Scrape to = canary.awaitProbes(from, 40, List.of(MIRRORED), BROKER);

        assertThat(mirror(to.since(from))).isPositive();
        assertThat(means(to.since(from)).get(Phase.PUBLISH))
                .as("told by acknowledgements")
                .isPositive();
        assertThat(to.sum("kafka_canary_mirror_uncertainty_seconds", MIRRORED)).isPositive();
        assertThat(to.sum("kafka_canary_mirror_partition_leader_info", MIRRORED, "target_leader=1"))
                .isEqualTo(1);
        assertThat(to.text()).doesNotContain("phase=\"mirror\"");
        assertThat(to.sum(MIRROR + "_count", OWN)).isZero();
        phasesSumAndProbesAreAccountedFor();
        JsonNode slow = canary.profile("to-b").at("/slowestProbes/0");
        long inPhases = 0;
        for (Phase phase : Phase.values()) {
            inPhases += slow.at("/phaseNanos/" + phase.label()).asLong();
        }
        assertThat(slow.get("mirrorNanos").asLong() + inPhases)
                .isEqualTo(slow.get("endToEndNanos").asLong());
    }

    @Test
    void itsSeriesAreAsManyAsTheDocumentationSays() {
        Scrape scrape = canary.scrape();
        Map<SeriesKind, Integer> mirrored = series(scrape, "to-b");
        Map<SeriesKind, Integer> own = series(scrape, "default");
        assertThat(mirrored.get(SeriesKind.MIRRORED_LEADER)).isBetween(3, SeriesKind.MIRRORED_LEADER.budget(true));
        for (SeriesKind kind : List.of(SeriesKind.PROFILE, SeriesKind.LEADER)) {
            assertThat(mirrored.get(kind) - own.get(kind)).as(kind.title()).isLessThanOrEqualTo(kind.mirroredBesides());
        }
        assertThat(own).doesNotContainKey(SeriesKind.MIRRORED_LEADER);
    }

    /** As a Prometheus without native histograms would have them. */
    private static Map<SeriesKind, Integer> series(Scrape scrape, String profile) {
        Map<SeriesKind, Integer> series = new EnumMap<>(SeriesKind.class);
        for (Sample each : scrape.page().samples()) {
            if (profile.equals(each.labels().get("profile"))) {
                Map<String, String> labels = new HashMap<>(each.labels());
                labels.putAll(Map.of("__name__", each.name(), "job", "kafka-canary"));
                series.merge(SeriesKind.of(labels).orElseThrow(), 1, Integer::sum);
            }
        }
        return series;
    }

    @Test
    void mirrorMakerThatStandsStillIsMirrorAndNothingElse() throws Exception {
        Scrape before = canary.scrape();
        Scrape from = canary.awaitProbes(before, 50, List.of(MIRRORED), BROKER);
        for (int round = 0; round < 3; round++) {
            mirrorMaker.process().pause();
            try {
                canary.awaitClosely("a second and a half of probes wait", now -> now.inFlight(MIRRORED) >= 30);
            } finally {
                mirrorMaker.process().resume();
            }
            canary.awaitClosely("what waited is there", now -> now.inFlight(MIRRORED) < 5);
        }
        Scrape grown = canary.scrape().since(from);

        PhaseMeans added = means(grown).minus(means(from.since(before)));
        double mirrored = mirror(grown) - mirror(from.since(before));
        assertThat(mirrored).as("ms in the mirror").isGreaterThan(200);
        assertThat(added.total())
                .as("ms besides %.0f in the mirror: %s", mirrored, added)
                .isCloseTo(0, within(0.3 * mirrored));
        phasesSumAndProbesAreAccountedFor();
    }

    @Test
    void withoutMirrorMakerProbesAreLostAndWithItTheyComeBackAgain() throws Exception {
        Scrape before = canary.scrape();
        mirrorMaker.process().kill();
        Scrape lost = canary.await(
                "lost, and said why",
                now -> now.since(before).probes("lost", MIRRORED) > 5
                        && problems().contains("MirrorMaker has stopped")
                        && !canary.ready());
        assertThat(lost.since(before).probes("lost", OWN))
                .as("the source itself is well")
                .isZero();

        mirrorMaker.start();
        canary.awaitReady();
        canary.awaitProbes(canary.scrape(), 20, List.of(MIRRORED), BROKER);
        RunningCanary.await("nothing to say any more", () -> !problems().contains("MirrorMaker has stopped"));
        Scrape grown = canary.scrape().since(before);
        assertThat(grown.sum("kafka_canary_resurfaced_total", MIRRORED))
                .as("what waited in the source")
                .isPositive();
        assertThat(grown.sum("kafka_canary_duplicates_total", MIRRORED))
                .as("copied again, as MirrorMaker notes only once a minute how far it is")
                .isPositive();
        assertThat(canary.scrape().sum("kafka_canary_out_of_order_total", MIRRORED))
                .isZero();
        phasesSumAndProbesAreAccountedFor();
    }

    private void phasesSumAndProbesAreAccountedFor() {
        awaitThat("phases and mirror sum to the end-to-end latency, and every probe is accounted for", () -> {
            Scrape scrape = canary.scrape();
            for (String profile : List.of(MIRRORED, OWN)) {
                double ends = scrape.sum(PhaseMeans.END_TO_END + "_sum", profile);
                assertThat(scrape.sum(PhaseMeans.FAMILY + "_sum", profile) + scrape.sum(MIRROR + "_sum", profile))
                        .as(profile)
                        .isCloseTo(ends, within(1e-6 * ends));
            }
            assertThat(scrape.conserved(Scrape.leader(BROKER))).isTrue();
        });
    }

    private void stampInTheTarget(String whose) throws Exception {
        TestClusters.alter(target, TOPIC_THERE, "message.timestamp.type", whose);
    }

    private static PhaseMeans means(Scrape grown) {
        return PhaseMeans.of(grown, MIRRORED, BROKER);
    }

    /** The mean time in the mirror, milliseconds. */
    private static double mirror(Scrape grown) {
        return grown.sum(MIRROR + "_sum", MIRRORED) / grown.sum(MIRROR + "_count", MIRRORED) * 1e3;
    }

    private String problems() {
        return canary.profile("to-b").get("problems").toString();
    }
}
