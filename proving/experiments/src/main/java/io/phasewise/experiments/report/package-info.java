/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Writes what an experiment showed, for a terminal, a browser and a program. */
package io.phasewise.experiments.report;
