/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The canary's figures as Prometheus series, by the names that dashboards and alerts are written
 * for.
 */
package io.phasewise.canary.show.metrics;
