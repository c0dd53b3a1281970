/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** All runs of the matrix that were kept, and the page made of them. */
package io.phasewise.experiments.matrix.page;
