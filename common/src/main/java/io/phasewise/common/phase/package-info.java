/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The five phases of a record's way, and the names of the metrics that carry them. */
package io.phasewise.common.phase;
