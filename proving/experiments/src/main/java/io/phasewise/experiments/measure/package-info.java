/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Reads what the product measured: runs the canary as a process, and reads pages and logs of canary
 * and exporters.
 */
package io.phasewise.experiments.measure;
