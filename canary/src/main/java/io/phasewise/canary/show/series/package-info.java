/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The canary's own series, with the names and labels that {@code series.csv} declares. */
package io.phasewise.canary.show.series;
