/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.pause;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** When a process was paused by a fault, and how long a probe waits for it. */
public final class StallLog {
    private final NavigableMap<Instant, Instant> stalls = new ConcurrentSkipListMap<>();

    /** Notes a pause that is over. */
    public void add(Instant begun, Instant ended) {
        stalls.put(begun, ended);
    }

    /** What is left of the pause at an instant, milliseconds; 0 between two pauses. */
    public double leftMillis(Instant due) {
        Map.Entry<Instant, Instant> last = stalls.floorEntry(due);
        return last == null || last.getValue().isBefore(due)
                ? 0
                : Duration.between(due, last.getValue()).toNanos() / 1e6;
    }
}
