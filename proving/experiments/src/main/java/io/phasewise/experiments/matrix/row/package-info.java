/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** A row of the fault matrix, as it is declared before the run. */
package io.phasewise.experiments.matrix.row;
