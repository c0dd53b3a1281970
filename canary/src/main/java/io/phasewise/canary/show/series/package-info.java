/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** What series of its own the canary has, by what name, with which labels; {@code series.csv}. */
package io.phasewise.canary.show.series;
