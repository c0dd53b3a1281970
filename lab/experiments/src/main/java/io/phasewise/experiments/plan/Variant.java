/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import io.phasewise.experiments.fault.Fault;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One of the things that are compared: how the canary sends, what else loads the brokers, what is
 * broken.
 *
 * @param name short, for tables
 * @param canary keys of the canary's configuration below a cluster, nested as there
 * @param loads what other producers do at the same time
 * @param fault what goes on all the time
 */
public record Variant(
        String name, Map<String, Object> canary, List<Load> loads, Optional<Fault> fault) {

    public Variant {
        canary = Map.copyOf(canary);
        loads = List.copyOf(loads);
    }

    /** Only the canary's settings. */
    public static Variant of(String name, Map<String, Object> canary) {
        return new Variant(name, canary, List.of(), Optional.empty());
    }

    /** The same by another name. */
    public Variant named(String other) {
        return new Variant(other, canary, loads, fault);
    }

    /** The same beside a load. */
    public Variant with(Load load) {
        return new Variant(name, canary, List.of(load), fault);
    }

    /** The same with a fault. */
    public Variant with(Fault broken) {
        return new Variant(name, canary, loads, Optional.of(broken));
    }
}
