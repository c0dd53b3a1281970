/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What the programs with a command line share; how each is built is left to them. */
package io.phasewise.common.cli;
