/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What leaders report of the canary's own probes: reads their exporters' marks, relates the
 * brokers' clocks to the canary's, and finds the marks of a probe. How a probe is split by them is
 * left to {@code split}.
 */
package io.phasewise.canary.marks;
