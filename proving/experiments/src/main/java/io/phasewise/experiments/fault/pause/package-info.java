/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Processes that do not run for a while, again and again. */
package io.phasewise.experiments.fault.pause;
