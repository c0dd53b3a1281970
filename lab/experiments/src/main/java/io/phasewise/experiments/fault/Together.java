/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.experiments.declared.Allowed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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
        return faults.stream()
                .flatMap(fault -> fault.needs().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Optional<String> obstacle(Path data) throws InterruptedException {
        Optional<String> first = Optional.empty();
        for (Fault fault : faults) {
            first = first.isPresent() ? first : fault.obstacle(data);
        }
        return first;
    }

    @Override
    public Broken begin(FaultTarget target) throws IOException, InterruptedException {
        return Several.begin(faults, fault -> fault.begin(target));
    }
}
