/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Runs a plan on a cluster: its turns, the load beside them, the canaries. */
package io.phasewise.experiments.run;
