/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Compares what was seen of a row with what was declared of it; pure functions. */
package io.phasewise.experiments.matrix.judgement;
