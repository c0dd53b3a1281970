/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import java.time.Instant;

/**
 * What was measured in one stretch of time; the stretches of one set are equally long.
 *
 * @param start when it begins
 * @param histogram the latencies of its probes
 */
public record Block(Instant start, Histogram histogram) {}
