/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import java.time.Instant;
import java.util.List;

/**
 * Faults that were begun one after the other, mended the last one first.
 *
 * @param all in the order in which they were begun
 */
record Several(List<Fault.Broken> all) implements Fault.Broken {
    @Override
    public void close() throws InterruptedException {
        if (all.isEmpty()) {
            return;
        }
        // Each is mended, whatever becomes of the others.
        try (Several earlier = new Several(all.subList(0, all.size() - 1))) {
            all.get(all.size() - 1).close();
        }
    }

    @Override
    public double addedMillis(Instant due) {
        return all.stream().mapToDouble(each -> each.addedMillis(due)).sum();
    }
}
