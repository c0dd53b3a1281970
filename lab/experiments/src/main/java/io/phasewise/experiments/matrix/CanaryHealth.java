/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

/**
 * How the canary's process was in a row.
 *
 * @param alive whether it was at the row's end
 * @param threadsBefore it had; -1, like all that follow, where a row broke off before its end
 * @param threadsAfter it had
 * @param heapMebibytesBefore in use
 * @param heapMebibytesAfter in use, not collected beforehand
 * @param logLines that it wrote in the row, but for those of single probes
 */
public record CanaryHealth(
        boolean alive,
        long threadsBefore,
        long threadsAfter,
        long heapMebibytesBefore,
        long heapMebibytesAfter,
        long logLines) {

    /** Of a row that broke off. */
    static CanaryHealth unread(boolean alive) {
        return new CanaryHealth(alive, -1, -1, -1, -1, -1);
    }
}
