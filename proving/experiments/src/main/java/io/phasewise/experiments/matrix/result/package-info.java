/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What a row and a whole run of the matrix showed, as it is kept. */
package io.phasewise.experiments.matrix.result;
