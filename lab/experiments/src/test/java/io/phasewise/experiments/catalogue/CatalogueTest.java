/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Load;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Parameter;
import io.phasewise.experiments.plan.Parameters;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
import io.phasewise.experiments.statistics.Percentile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CatalogueTest {
    private final Catalogue catalogue = new Catalogue();

    @Test
    void everyExperimentHasAPlanByItsDefaultsWithVariantsToldApart() throws Exception {
        for (Experiment experiment : catalogue.all()) {
            Plan plan = plan(experiment.name());

            assertThat(plan.variants().stream().map(Variant::name))
                    .as(experiment.name())
                    .hasSizeGreaterThan(1)
                    .doesNotHaveDuplicates();
            assertThat(plan.variants().stream().anyMatch(v -> v.fault().isPresent()))
                    .as("%s says that it breaks something", experiment.name())
                    .isEqualTo(experiment.needsFault());
        }
    }

    @Test
    void whatNeedsBrokersOfTheLabsOwnIsRefusedElsewhere() throws Exception {
        for (Experiment experiment : catalogue.all()) {
            boolean own =
                    experiment.needsFault()
                            || plan(experiment.name()).layout() != Plan.Layout.PLAIN;

            assertThat(experiment.refusedElsewhere().isPresent())
                    .as(experiment.name())
                    .isEqualTo(own);
        }
    }

    @Test
    void ratesHoldsDurableAgainstNotAndCommittedAgainstAppendedAtEachRate() throws Exception {
        assertThat(plan("rates").pairs())
                .containsExactlyInAnyOrder(
                        new Plan.Pair("200/s, acks=all", "200/s, acks=all, durable"),
                        new Plan.Pair("200/s, acks=1", "200/s, acks=1, durable"),
                        new Plan.Pair("200/s, acks=1", "200/s, acks=all"),
                        new Plan.Pair("200/s, acks=1, durable", "200/s, acks=all, durable"),
                        new Plan.Pair("4000/s, acks=all", "4000/s, acks=all, durable"),
                        new Plan.Pair("4000/s, acks=1", "4000/s, acks=1, durable"),
                        new Plan.Pair("4000/s, acks=1", "4000/s, acks=all"),
                        new Plan.Pair("4000/s, acks=1, durable", "4000/s, acks=all, durable"));
    }

    @Test
    void demotionIsHeldAgainstTheDegradedAndAgainstTheHealthy() throws Exception {
        assertThat(plan("demotion").pairs())
                .containsExactly(
                        new Plan.Pair("healthy", "degraded"),
                        new Plan.Pair("degraded", "degraded, demoted"),
                        new Plan.Pair("healthy", "degraded, demoted"));
    }

    @Test
    void theBanksStepsAreEachHeldAgainstAllPartitionsAndThoseAgainstTheFloor() throws Exception {
        Plan plan = plan("tier-1-bank");

        assertThat(plan.pairs())
                .extracting(Plan.Pair::baseline, Plan.Pair::treatment)
                .containsExactly(
                        tuple("floor: one partition", "all partitions"),
                        tuple("all partitions", "linger 1 ms"),
                        tuple("all partitions", "lz4"),
                        tuple("all partitions", "one in flight"),
                        tuple("all partitions", "not idempotent"),
                        tuple("all partitions", "2 fetchers"));
        Load floor = plan.variants().get(0).loads().get(0);
        Load all = plan.variants().get(1).loads().get(0);
        assertThat(floor.partitions()).isEqualTo(1);
        assertThat(floor.recordsPerSecond())
                .as("one partition's share")
                .isEqualTo(all.recordsPerSecond() / all.partitions());
        // Enough for p99.99.
        Pace pace = Pace.of(Parameters.read(known("tier-1-bank"), Map.of()));
        assertThat(pace.repeats() * pace.measured().toSeconds() * pace.rate() * 3)
                .isGreaterThan(Percentile.needed(0.9999));
    }

    @Test
    void lowLoadHasProbesEnoughForItsTail() throws Exception {
        Pace pace = Pace.of(Parameters.read(known("low-load"), Map.of()));

        assertThat(pace.repeats() * pace.measured().toSeconds() * pace.rate() * 3)
                .isGreaterThan(2 * Percentile.needed(0.999));
        assertThat(plan("low-load").variants().get(1).loads().get(0).recordsPerSecond())
                .isEqualTo(120);
    }

    @Test
    void aRollingRestartIsAlsoRunBrokerByBroker() throws Exception {
        assertThat(plan("rolling-restart").variants())
                .extracting(Variant::name)
                .containsExactly(
                        "at rest",
                        "rolling",
                        "broker 1 restarting",
                        "broker 2 restarting",
                        "broker 3 restarting");
    }

    @Test
    void compressionGivesCanaryAndLoadTheSameCodec() throws Exception {
        for (Variant each : plan("compression").variants()) {
            assertThat(each.loads().get(0).properties())
                    .containsEntry("compression.type", each.name())
                    .isEqualTo(each.canary().get("producer"));
        }
    }

    private List<Parameter> known(String name) {
        return Catalogue.parameters(catalogue.find(name).orElseThrow());
    }

    private Plan plan(String name) throws Exception {
        Experiment experiment = catalogue.find(name).orElseThrow();
        return experiment.plan().apply(Parameters.read(Catalogue.parameters(experiment), Map.of()));
    }

    @Test
    void namesAreToldApart() {
        assertThat(catalogue.all().stream().map(Experiment::name)).doesNotHaveDuplicates();
        assertThat(catalogue.find("acks")).isPresent();
        assertThat(catalogue.find("nonsense")).isEmpty();
    }
}
