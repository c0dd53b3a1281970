/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The probe's record, when each probe is due, and the thread that hands it over then, which no slow
 * answer holds up. What became of a probe is left to {@code probe.ledger}, sending to {@code send}.
 */
package io.phasewise.canary.probe;
