/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** What clients are told to push (KIP-714), which is what the brokers' exporter has use for. */
package io.phasewise.common.telemetry;
