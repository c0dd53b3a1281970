/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Durations as texts. */
package io.phasewise.common.time;
