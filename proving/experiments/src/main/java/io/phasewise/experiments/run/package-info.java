/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Carries a plan out on a cluster: its turns, the load beside them, the processes. */
package io.phasewise.experiments.run;
