/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The command line of {@code ./phasewise lab}. */
package io.phasewise.experiments.cli;
