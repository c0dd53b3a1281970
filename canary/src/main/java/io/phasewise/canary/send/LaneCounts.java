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
 */
public record LaneCounts(int ready, int warming) {}
