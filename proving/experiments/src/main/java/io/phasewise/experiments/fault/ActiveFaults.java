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
 * Faults that were begun one after the other, mended the last one first.
 *
 * @param all in the order in which they were begun
 */
public record ActiveFaults(List<Fault.Broken> all) implements Fault.Broken {
    /** Begins a fault of something. */
    @FunctionalInterface
    public interface Beginning<T> {
        /** As {@link Fault#begin}. */
        Fault.Broken begin(T of) throws IOException, InterruptedException;
    }

    /** Begins faults of one target; where one cannot be begun, those before it are mended. */
    public static ActiveFaults begin(List<Fault> faults, FaultTarget target) throws IOException, InterruptedException {
        return begin(faults, fault -> fault.begin(target));
    }

    /** Begins one of each; where one cannot be begun, those before it are mended. */
    public static <T> ActiveFaults begin(List<T> each, Beginning<T> beginning)
            throws IOException, InterruptedException {
        List<Fault.Broken> begun = new ArrayList<>();
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
        // Each is mended, whatever becomes of the others.
        try (ActiveFaults earlier = new ActiveFaults(all.subList(0, all.size() - 1))) {
            all.get(all.size() - 1).close();
        }
    }

    @Override
    public double addedMillis(Instant due) {
        return all.stream().mapToDouble(each -> each.addedMillis(due)).sum();
    }
}
