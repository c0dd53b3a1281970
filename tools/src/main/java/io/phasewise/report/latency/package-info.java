/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The latencies of a window: how they are read, which percentiles and which objective they make,
 * and how they differ from those of an earlier window.
 */
package io.phasewise.report.latency;
