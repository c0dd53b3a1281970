/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Processes that end, or are paused, and come back or are replaced. */
package io.phasewise.experiments.fault.restart;
