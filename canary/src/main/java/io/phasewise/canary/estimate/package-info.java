/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Puts what was seen of a probe, the brokers' clocks, the one-way delays and the consumer's polls
 * together into its phases. The arithmetic is left to {@code phases}, counting to {@code
 * probe.ledger}.
 */
package io.phasewise.canary.estimate;
