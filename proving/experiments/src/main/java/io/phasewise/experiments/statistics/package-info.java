/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Says whether turns differ and by how much; pure functions of what was measured. */
package io.phasewise.experiments.statistics;
