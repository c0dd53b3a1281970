/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What applications write beside the canary. */
package io.phasewise.experiments.load;
