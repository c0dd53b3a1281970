/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What faults are put to: brokers, canaries, Prometheus, Alertmanager. */
package io.phasewise.experiments.matrix.scene;
