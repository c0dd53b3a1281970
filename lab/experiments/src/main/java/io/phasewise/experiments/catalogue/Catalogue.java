/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import io.phasewise.experiments.declared.Declaration;
import io.phasewise.experiments.plan.Experiment;
import java.util.List;
import java.util.Optional;

/**
 * All experiments there are: a YAML file each, in the order in which a newcomer should meet them.
 */
public final class Catalogue {
    private final List<Experiment> experiments = Declaration.all("/experiments/", Experiment::read);

    /** All of them. */
    public List<Experiment> all() {
        return experiments;
    }

    /** One of them. */
    public Optional<Experiment> find(String name) {
        return experiments.stream().filter(each -> each.name().equals(name)).findFirst();
    }
}
