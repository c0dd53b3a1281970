/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Runs rows, each on the scene that it asks for. */
package io.phasewise.experiments.matrix.run;
