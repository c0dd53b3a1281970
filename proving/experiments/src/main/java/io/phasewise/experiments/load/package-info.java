/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What applications write while the canary measures. */
package io.phasewise.experiments.load;
