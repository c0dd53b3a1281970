/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All experiments there are, in the order in which a newcomer should meet them. */
public final class Catalogue {
    private final List<Experiment> experiments =
            List.of(
                    SlowFollower.EXPERIMENT,
                    Acks.EXPERIMENT,
                    Linger.EXPERIMENT,
                    Replication.EXPERIMENT,
                    Producers.EXPERIMENT,
                    Compression.EXPERIMENT,
                    LowLoad.EXPERIMENT,
                    LoadSteps.EXPERIMENT,
                    Rates.EXPERIMENT,
                    Partitions.EXPERIMENT,
                    Tier1Bank.EXPERIMENT,
                    RollingRestart.EXPERIMENT,
                    Demoted.EXPERIMENT,
                    Nothing.EXPERIMENT);

    /** All of them. */
    public List<Experiment> all() {
        return experiments;
    }

    /** One of them. */
    public Optional<Experiment> find(String name) {
        return experiments.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /** What can be set of an experiment, its own parameters first. */
    public static List<Parameter> parameters(Experiment experiment) {
        List<Parameter> all = new ArrayList<>(experiment.parameters());
        List<String> own = all.stream().map(Parameter::name).toList();
        Pace.PARAMETERS.stream().filter(each -> !own.contains(each.name())).forEach(all::add);
        return all;
    }
}
