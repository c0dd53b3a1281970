/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.lane;

/**
 * State and history of a pool, for metrics.
 *
 * @param ready lanes that take probes
 * @param warming lanes being opened
 * @param draining lanes that take no more probes and close when theirs are released
 * @param busy probes on lanes
 * @param waiting probes that wait for one
 * @param waits probes that had to wait and were granted a lane, ever
 * @param waitedNanos time they waited altogether
 * @param opened lanes that became ready, ever
 * @param closed lanes closed for want of need, ever
 * @param broken lanes given up by the owner, ever
 * @param limited times that more lanes were wanted than the limit allows, each want counted once
 */
public record LaneCounters(
        int ready,
        int warming,
        int draining,
        int busy,
        int waiting,
        long waits,
        long waitedNanos,
        long opened,
        long closed,
        long broken,
        long limited) {}
