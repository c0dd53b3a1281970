/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The fault matrix: every fault put to the same scene, and what was seen of it. */
package io.phasewise.experiments.matrix;
