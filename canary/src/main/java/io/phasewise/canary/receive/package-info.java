/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The way back: reads records from Kafka and reports deliveries to the ledger. What a delivery
 * means is left to {@code probe.ledger}.
 */
package io.phasewise.canary.receive;
