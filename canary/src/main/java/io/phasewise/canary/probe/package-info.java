/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The record that travels, when each is due, and the thread that sends them off then, which no slow
 * answer holds up. What became of a probe is left to {@code probe.ledger}, sending to {@code send}.
 */
package io.phasewise.canary.probe;
