/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.load.Load;
import java.util.Map;
import java.util.Optional;

/**
 * One of the things that are compared: how the canary sends, what else loads the brokers, what is
 * broken.
 *
 * @param name short, for tables
 * @param canary keys of the canary's configuration below a cluster, nested as there; may be left
 *     out
 * @param load what other producers do at the same time
 * @param fault what goes on all the time
 */
public record Variant(
        String name, Map<String, Object> canary, Optional<Load> load, Optional<Fault> fault) {

    public Variant {
        canary = canary == null ? Map.of() : Map.copyOf(canary);
    }
}
