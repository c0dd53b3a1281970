/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

/**
 * How many lanes a pool has.
 *
 * @param ready lanes that take probes
 * @param warming lanes being opened
 * @param draining lanes that take no more probes and close when theirs are released
 */
public record LaneCounts(int ready, int warming, int draining) {}
