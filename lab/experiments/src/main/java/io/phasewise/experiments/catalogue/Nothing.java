/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
import java.util.List;
import java.util.Map;

/** The same against the same: what the method finds where there is nothing. */
final class Nothing {
    static final Experiment EXPERIMENT =
            new Experiment(
                    "nothing",
                    "Does the method find a difference where there is none?",
                    "Two variants with the same settings: no difference shown, but for five runs in"
                            + " a hundred at most.",
                    List.of(),
                    false,
                    given -> Plan.of(same("one", 50), same("another", 49)));

    private Nothing() {}

    /**
     * They differ in how many probes the canary's page lists, and so that every turn has a fresh
     * canary, as where settings differ.
     */
    private static Variant same(String name, int listed) {
        return Variant.of(name, Map.of("slow-probes", Map.of("keep", listed)));
    }
}
