/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * From the instants of one probe to its phases, and from brokers' answers to the offsets of their
 * clocks and the network delays. It reads no clock and knows no network; which instants belong to
 * which probe is left to {@code split}.
 */
package io.phasewise.canary.phases;
