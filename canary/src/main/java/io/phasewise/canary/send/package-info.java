/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The way out: which connection each probe travels on, so that none waits behind another, and its
 * acknowledgement or failure into the ledger. When a probe is due is left to {@code probe}.
 */
package io.phasewise.canary.send;
