/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Histograms and counters that a hot path records into: exact buckets, striped, lock-free, of fixed
 * size, read without stopping anybody. What is recorded is left to others.
 */
package io.phasewise.exporter.recorder;
