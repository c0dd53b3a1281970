/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Parameters;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
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
