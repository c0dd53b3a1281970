/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

/**
 * How many remarkable probes are remembered and logged; which those are is left to the journal.
 *
 * @param keep probes at /status, 0 to 1000: so many of the slowest, and so many unseen ones
 * @param logPerMinute lines in the log, 0 to 6000
 */
public record SlowProbesConfig(int keep, int logPerMinute) {}
