/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What became of every probe: in flight, delivered, late, lost or never sent; duplicates and order.
 *
 * <p>This package alone owns correctness. It knows no network and no clock of its own.
 */
package io.phasewise.canary.probe.ledger;
