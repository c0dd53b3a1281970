/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Whether turns differ, and by how much; pure functions of what was measured. */
package io.phasewise.experiments.statistics;
