/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.experiments.load.Load;
import io.phasewise.experiments.load.LoadTopic;
import java.util.Collections;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * The names of one run's topics. Each holds the run's own id, so that on somebody else's cluster no
 * run uses or deletes a topic that it did not make; making and deleting is left to others.
 */
final class RunTopics {
    private final String prefix;
    private final Set<String> names = new TreeSet<>();

    /**
     * @param id of the run, letters and digits
     */
    RunTopics(String id) {
        this.prefix = LoadTopic.TOPICS + id + "-";
    }

    /** With an id of 64 random bits. */
    static RunTopics random() {
        return new RunTopics(String.format("%016x", new SplittableRandom().nextLong()));
    }

    /** The canary's topic for a variant. */
    String ofCanary(String variant) {
        String name = prefix + variant.replaceAll("[^A-Za-z0-9]+", "-");
        names.add(name);
        return name;
    }

    /** The topic for a load; the same for loads of as many partitions. */
    String ofLoad(Load load) {
        return prefix + "load-" + load.partitions();
    }

    /** Notes that the run makes a topic; whether it is the first to. */
    boolean add(String name) {
        return names.add(name);
    }

    /** All that the run makes. */
    Set<String> names() {
        return Collections.unmodifiableSet(names);
    }
}
