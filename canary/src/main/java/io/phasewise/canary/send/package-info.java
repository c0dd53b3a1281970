/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The way to the leader: which connection each probe travels on, so that none waits behind another,
 * and the report of its acknowledgement or failure to the ledger. When a probe is due is left to
 * {@code probe}.
 */
package io.phasewise.canary.send;
