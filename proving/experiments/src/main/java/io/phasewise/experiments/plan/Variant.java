/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.kinds.FaultKinds;
import io.phasewise.experiments.load.Load;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One side of a comparison: how the canary sends, what else loads the brokers, what is broken.
 *
 * @param name short, for tables
 * @param canary keys of the canary's configuration below a cluster, nested as there; absent:
 *     none
 * @param load what other producers write at the same time; absent: nothing
 * @param faults in force during the whole turn; absent: none
 */
public record Variant(
        String name,
        Map<String, Object> canary,
        Optional<Load> load,

        @FaultKinds @JsonProperty("fault") @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        List<Fault> faults) {
    public Variant {
        canary = canary == null ? Map.of() : Map.copyOf(canary);
        faults = faults == null ? List.of() : List.copyOf(faults);
    }
}
