/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Faults that were begun one after the other. They are mended in the reverse order.
 *
 * @param all in the order in which they were begun
 */
public record ActiveFaults(List<ActiveFault> all) implements ActiveFault {
    /** Begins one fault. */
    @FunctionalInterface
    public interface Beginning<T> {
        /** As {@link Fault#begin}. */
        ActiveFault begin(T of) throws IOException, InterruptedException;
    }

    /** Begins faults on one target. Where one cannot be begun, those before it are mended. */
    public static ActiveFaults begin(List<Fault> faults, FaultTarget target) throws IOException, InterruptedException {
        return begin(faults, fault -> fault.begin(target));
    }

    /** Begins a fault for each item. Where one cannot be begun, those before it are mended. */
    public static <T> ActiveFaults begin(List<T> each, Beginning<T> beginning)
            throws IOException, InterruptedException {
        List<ActiveFault> begun = new ArrayList<>();
        try {
            for (T of : each) {
                begun.add(beginning.begin(of));
            }
        } finally {
            if (begun.size() < each.size()) {
                new ActiveFaults(begun).close();
            }
        }
        return new ActiveFaults(begun);
    }

    @Override
    public void close() throws InterruptedException {
        if (all.isEmpty()) {
            return;
        }
        // Each is mended, even where mending another one fails.
        try (ActiveFaults earlier = new ActiveFaults(all.subList(0, all.size() - 1))) {
            all.get(all.size() - 1).close();
        }
    }

    @Override
    public double addedMillis(Instant due) {
        return all.stream().mapToDouble(each -> each.addedMillis(due)).sum();
    }
}
