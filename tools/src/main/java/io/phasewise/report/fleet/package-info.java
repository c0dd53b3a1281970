/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The review of many clusters, one beside the other: of each only the objective, the end-to-end
 * latency and the size.
 */
package io.phasewise.report.fleet;
