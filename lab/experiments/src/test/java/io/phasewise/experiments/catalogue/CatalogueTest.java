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
            Plan plan =
                    experiment
                            .plan()
                            .apply(Parameters.read(Catalogue.parameters(experiment), Map.of()));

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
    void namesAreToldApart() {
        assertThat(catalogue.all().stream().map(Experiment::name)).doesNotHaveDuplicates();
        assertThat(catalogue.find("acks")).isPresent();
        assertThat(catalogue.find("nonsense")).isEmpty();
    }
}
