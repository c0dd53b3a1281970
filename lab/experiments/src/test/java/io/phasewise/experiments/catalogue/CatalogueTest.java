/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.phasewise.experiments.fault.BrokerSetting;
import io.phasewise.experiments.fault.StallingBroker;
import io.phasewise.experiments.load.Load;
import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Parameter;
import io.phasewise.experiments.plan.Parameters;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
import io.phasewise.experiments.statistics.Latencies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CatalogueTest {
    private static final BrokerSetting DURABLE =
            new BrokerSetting(
                    "every broker forces every record to its disk before it answers",
                    "log.flush.interval.messages",
                    "1");

    private final Catalogue catalogue = new Catalogue();

    @Test
    void everyFileIsAnExperiment() throws Exception {
        Path directory = Path.of(Catalogue.class.getResource("/experiments").toURI());
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(catalogue.all().stream().map(each -> each.name() + ".yml"))
                    .containsExactlyInAnyOrderElementsOf(
                            files.map(file -> file.getFileName().toString()).toList());
        }
        assertThat(catalogue.find("acks")).isPresent();
        assertThat(catalogue.find("nonsense")).isEmpty();
    }

    @Test
    void everyExperimentHasAPlanByItsDefaultsAndSaysWhetherItBreaksSomething() throws Exception {
        for (Experiment experiment : catalogue.all()) {
            Plan plan = plan(experiment.name(), Map.of());

            assertThat(experiment.question()).as(experiment.name()).endsWith("?");
            assertThat(experiment.expected()).as(experiment.name()).endsWith(".");
            assertThat(plan.variants()).as(experiment.name()).hasSizeGreaterThan(1);
            assertThat(plan.variants().stream().anyMatch(v -> v.fault().isPresent()))
                    .as(experiment.name())
                    .isEqualTo(experiment.breaksBrokers());
            if (plan.layout() != Plan.Layout.PLAIN) {
                assertThat(experiment.breaksBrokers()).as(experiment.name()).isTrue();
            }
        }
    }

    @Test
    void everyParameterChangesThePlanOrThePace() throws Exception {
        for (Experiment experiment : catalogue.all()) {
            List<String> ofPace = Pace.PARAMETERS.stream().map(Parameter::name).toList();
            for (Parameter each : experiment.own()) {
                if (!ofPace.contains(each.name())) {
                    String other = Long.toString((long) each.value() + 1);
                    assertThat(plan(experiment.name(), Map.of(each.name(), other)))
                            .as(experiment.name() + ", " + each.name())
                            .isNotEqualTo(plan(experiment.name(), Map.of()));
                }
            }
        }
    }

    @Test
    void theSlowFollowerIsPausedAsTheParametersSayAndItsOwnProbesAreLeftOut() throws Exception {
        Plan plan = plan("slow-follower", Map.of("stall", "300", "period", "900"));

        assertThat(plan.variants())
                .containsExactly(
                        Variant.of("healthy", Map.of()),
                        new Variant(
                                "slow follower",
                                Map.of(),
                                Optional.empty(),
                                Optional.of(
                                        new StallingBroker(
                                                3,
                                                Duration.ofMillis(300),
                                                Duration.ofMillis(900)))));
        assertThat(plan.leaders()).isEqualTo(Set.of(1, 2));
    }

    @Test
    void lingerCrossesTwoSettingsAndGivesThemToCanaryAndLoad() throws Exception {
        Plan plan = plan("linger", Map.of());

        assertThat(plan.variants())
                .extracting(Variant::name, each -> each.load().orElseThrow())
                .containsExactly(
                        tuple("linger 0 ms, 16 KiB", linger("0", "16384")),
                        tuple("linger 0 ms, 128 KiB", linger("0", "131072")),
                        tuple("linger 5 ms, 16 KiB", linger("5", "16384")),
                        tuple("linger 5 ms, 128 KiB", linger("5", "131072")));
        assertThat(plan.variants().get(2).canary())
                .isEqualTo(
                        Map.of(
                                "probe",
                                Map.of("pipelined", true),
                                "producer",
                                Map.of("linger.ms", 5, "batch.size", 16_384)));
    }

    private static Load linger(String milliseconds, String bytes) {
        Map<String, String> settings = Map.of("linger.ms", milliseconds, "batch.size", bytes);
        return new Load(10, 2_000, 1_024, 12, settings);
    }

    @Test
    void loadStepsAreEachTwiceTheOneBefore() throws Exception {
        assertThat(plan("load-steps", Map.of("records", "500")).variants())
                .extracting(
                        Variant::name, each -> each.load().map(Load::recordsPerSecond).orElse(0.0))
                .containsExactly(
                        tuple("no load", 0.0),
                        tuple("500 records/s", 500.0),
                        tuple("1000 records/s", 1_000.0),
                        tuple("2000 records/s", 2_000.0),
                        tuple("4000 records/s", 4_000.0));
    }

    @Test
    void ratesHoldsDurableAgainstNotAndCommittedAgainstAppendedAtEachRate() throws Exception {
        Plan plan = plan("rates", Map.of());

        assertThat(plan.pairs())
                .containsExactlyInAnyOrder(
                        new Plan.Pair("200/s, acks=all", "200/s, acks=all, durable"),
                        new Plan.Pair("200/s, acks=1", "200/s, acks=1, durable"),
                        new Plan.Pair("200/s, acks=1", "200/s, acks=all"),
                        new Plan.Pair("200/s, acks=1, durable", "200/s, acks=all, durable"),
                        new Plan.Pair("4000/s, acks=all", "4000/s, acks=all, durable"),
                        new Plan.Pair("4000/s, acks=1", "4000/s, acks=1, durable"),
                        new Plan.Pair("4000/s, acks=1", "4000/s, acks=all"),
                        new Plan.Pair("4000/s, acks=1, durable", "4000/s, acks=all, durable"));
        for (Variant each : plan.variants()) {
            String acks = each.name().contains("acks=1") ? "1" : "all";
            assertThat(each.load().orElseThrow())
                    .isEqualTo(
                            new Load(
                                    4,
                                    each.name().startsWith("200/s") ? 200 : 4_000,
                                    512,
                                    12,
                                    Map.of(
                                            "acks",
                                            acks,
                                            "enable.idempotence",
                                            "false",
                                            "linger.ms",
                                            "0")));
            assertThat(each.fault())
                    .isEqualTo(
                            each.name().endsWith("durable")
                                    ? Optional.of(DURABLE)
                                    : Optional.empty());
        }
    }

    @Test
    void demotionIsHeldAgainstTheDegradedAndAgainstTheHealthyAndMovesNoTopicOfItsOwn()
            throws Exception {
        Plan plan = plan("demotion", Map.of());

        assertThat(plan.pairs())
                .containsExactly(
                        new Plan.Pair("healthy", "degraded"),
                        new Plan.Pair("degraded", "degraded, demoted"),
                        new Plan.Pair("healthy", "degraded, demoted"));
        assertThat(plan.variants().stream().map(Variant::canary).distinct())
                .containsExactly(
                        Map.of(
                                "topic",
                                Map.of(
                                        "manage",
                                        Map.of(
                                                "expand",
                                                false,
                                                "reassign",
                                                false,
                                                "elect",
                                                false))));
    }

    @Test
    void theBanksStepsAreEachHeldAgainstAllPartitionsAndThoseAgainstTheFloor() throws Exception {
        Plan plan = plan("tier-1-bank", Map.of());

        assertThat(plan.pairs())
                .extracting(Plan.Pair::baseline, Plan.Pair::treatment)
                .containsExactly(
                        tuple("floor: one partition", "all partitions"),
                        tuple("all partitions", "linger 1 ms"),
                        tuple("all partitions", "lz4"),
                        tuple("all partitions", "one in flight"),
                        tuple("all partitions", "not idempotent"),
                        tuple("all partitions", "2 fetchers"));
        Load floor = plan.variants().get(0).load().orElseThrow();
        Load all = plan.variants().get(1).load().orElseThrow();
        assertThat(floor.partitions()).isEqualTo(1);
        assertThat(floor.recordsPerSecond())
                .as("one partition's share")
                .isEqualTo(all.recordsPerSecond() / all.partitions());
        assertThat(plan.variants().get(2).load().orElseThrow().settings())
                .as("a change wins over what every variant has")
                .isEqualTo(Map.of("linger.ms", "1"));
        assertThat(probes("tier-1-bank")).isGreaterThan(Latencies.needed(0.9999));
    }

    @Test
    void lowLoadHasProbesEnoughForItsTail() throws Exception {
        assertThat(probes("low-load")).isGreaterThan(2 * Latencies.needed(0.999));
        assertThat(plan("low-load", Map.of()).variants().get(1).load().orElseThrow())
                .isEqualTo(new Load(1, 120, 1_024, 12, Map.of("linger.ms", "0")));
    }

    @Test
    void compressionGivesCanaryAndLoadTheSameCodec() throws Exception {
        for (Variant each : plan("compression", Map.of()).variants()) {
            assertThat(each.load().orElseThrow().settings())
                    .isEqualTo(Map.of("compression.type", each.name(), "linger.ms", "5"));
            assertThat(each.canary().get("producer"))
                    .isEqualTo(Map.of("compression.type", each.name(), "linger.ms", "5"));
        }
    }

    /** Of each variant, in all turns. */
    private double probes(String name) throws Exception {
        Experiment experiment = catalogue.find(name).orElseThrow();
        Pace pace = Pace.of(Parameters.read(experiment.parameters(), Map.of()));
        return pace.repeats() * pace.measured().toSeconds() * pace.rate() * 3;
    }

    private Plan plan(String name, Map<String, String> given) throws Exception {
        Experiment experiment = catalogue.find(name).orElseThrow();
        return experiment.plan(Parameters.read(experiment.parameters(), given));
    }
}
