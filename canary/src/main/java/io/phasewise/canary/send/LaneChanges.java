/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import java.util.List;

/**
 * What the owner of the producers is to do next.
 *
 * @param open lanes to open and connect to every leader; report each with {@link LanePool#opened}
 *     or {@link LanePool#broken}
 * @param close lanes to close; the pool has forgotten them already
 */
record LaneChanges(List<Integer> open, List<Integer> close) {

    static final LaneChanges NONE = new LaneChanges(List.of(), List.of());

    /** Whether there is nothing to do. */
    boolean isEmpty() {
        return open.isEmpty() && close.isEmpty();
    }
}
