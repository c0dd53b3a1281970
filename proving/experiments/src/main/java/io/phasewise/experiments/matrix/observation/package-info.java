/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What is seen of a row while it runs. */
package io.phasewise.experiments.matrix.observation;
