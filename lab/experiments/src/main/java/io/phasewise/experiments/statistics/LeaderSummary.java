/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

/**
 * The probes of one variant that one broker led; latencies in milliseconds.
 *
 * @param probes how many there were
 * @param p50 50th percentile
 * @param p99 99th percentile; NaN where there are too few probes for it
 * @param max the slowest
 */
public record LeaderSummary(int probes, double p50, double p99, double max) {}
