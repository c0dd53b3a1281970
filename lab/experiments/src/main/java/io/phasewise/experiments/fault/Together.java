/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.experiments.declared.Allowed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Several faults at once.
 *
 * @param faults begun in this order
 */
public record Together(List<Fault> faults) implements Fault {
    public Together {
        Allowed.require(faults != null && faults.size() > 1, "faults", faults, "two or more");
        faults = List.copyOf(faults);
    }

    @Override
    public Set<Need> needs() {
        Set<Need> needs = EnumSet.noneOf(Need.class);
        faults.forEach(fault -> needs.addAll(fault.needs()));
        return needs;
    }

    @Override
    public Broken begin(FaultTarget target) throws IOException, InterruptedException {
        List<Broken> begun = new ArrayList<>();
        try {
            for (Fault fault : faults) {
                begun.add(fault.begin(target));
            }
        } finally {
            if (begun.size() < faults.size()) {
                new Several(begun).close();
            }
        }
        return new Several(begun);
    }
}
