/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Measures round trips to brokers; what to conclude from them is left to {@code phases}. */
package io.phasewise.canary.cluster.ping;
