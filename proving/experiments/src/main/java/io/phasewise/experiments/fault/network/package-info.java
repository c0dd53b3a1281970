/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Paths that are slow, narrow, lossy or cut. */
package io.phasewise.experiments.fault.network;
