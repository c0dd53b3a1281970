/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import io.phasewise.common.file.JarResource;
import io.phasewise.experiments.declared.Declaration;
import io.phasewise.experiments.plan.Experiment;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All experiments there are: a YAML file each, in the order in which a newcomer should meet them.
 */
public final class Catalogue {
    private static final String DIRECTORY = "/experiments/";

    private final List<Experiment> experiments =
            Stream.of(Declaration.read("order.yml", text("order"), String[].class))
                    .map(name -> Experiment.read(name, text(name)))
                    .toList();

    private static String text(String name) {
        return JarResource.text(Catalogue.class, DIRECTORY + name + ".yml");
    }

    /** All of them. */
    public List<Experiment> all() {
        return experiments;
    }

    /** One of them. */
    public Optional<Experiment> find(String name) {
        return experiments.stream().filter(each -> each.name().equals(name)).findFirst();
    }
}
