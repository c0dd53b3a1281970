/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The probes of one profile: who sends and reads them, to which partitions, and what fails on the way. */
package io.phasewise.canary.cluster.traffic;
