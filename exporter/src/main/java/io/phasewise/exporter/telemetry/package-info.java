/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What the applications' own clients measure and push to their broker (KIP-714), as metrics of this
 * endpoint. What the broker itself measures is left to timing and jmx.
 */
package io.phasewise.exporter.telemetry;
