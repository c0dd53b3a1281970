/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Reads what the product measured: the canary and the exporters as processes, by their pages and
 * logs.
 */
package io.phasewise.experiments.measure;
