/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Measures Kafka's end-to-end latency with probes that travel the path user data takes. */
package io.phasewise.canary;
