/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Hours of load and faults, and what grew in the canary meanwhile. */
package io.phasewise.experiments.soak;
