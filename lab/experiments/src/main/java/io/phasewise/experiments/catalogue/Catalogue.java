/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import io.phasewise.experiments.plan.Experiment;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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

    private final List<Experiment> experiments = NAMES.stream().map(Catalogue::read).toList();

    private static Experiment read(String name) {
        String file = name + ".yml";
        try (InputStream in = Catalogue.class.getResourceAsStream("/experiments/" + file)) {
            return Experiment.read(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
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
