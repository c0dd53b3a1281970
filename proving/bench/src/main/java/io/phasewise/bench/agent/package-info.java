/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** What the exporter's agent costs the broker that carries it. */
package io.phasewise.bench.agent;
