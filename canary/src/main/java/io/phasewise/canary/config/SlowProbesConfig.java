/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.time.Duration;
import java.util.Optional;

/**
 * How many remarkable probes are remembered and logged; which those are is left to the journal.
 *
 * @param keep probes at /status, 0 to 1000: at most this many of the slowest, and of the
 *     undelivered
 * @param logPerMinute lines in the log, 0 to 60000
 * @param logAbove a probe that took longer is worth a line, 0 to the deadline; empty for the SLO
 *     target
 */
public record SlowProbesConfig(
        @Bounds("0 to 1000") int keep,
        @Bounds("0 to 60000") int logPerMinute,
        @Bounds("0s to deadline") Optional<Duration> logAbove) {}
