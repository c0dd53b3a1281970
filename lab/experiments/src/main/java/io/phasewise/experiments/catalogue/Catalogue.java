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
    private static final List<String> NAMES =
            List.of(
                    "slow-follower",
                    "acks",
                    "linger",
                    "replication",
                    "producers",
                    "compression",
                    "low-load",
                    "load-steps",
                    "rates",
                    "partitions",
                    "tier-1-bank",
                    "rolling-restart",
                    "demotion",
                    "nothing");

    private final List<Experiment> experiments =
            NAMES.stream()
                    .map(
                            name -> {
                                String text = Declaration.text("/experiments/" + name + ".yml");
                                return Experiment.read(name, text);
                            })
                    .toList();

    /** All of them. */
    public List<Experiment> all() {
        return experiments;
    }

    /** One of them. */
    public Optional<Experiment> find(String name) {
        return experiments.stream().filter(each -> each.name().equals(name)).findFirst();
    }
}
