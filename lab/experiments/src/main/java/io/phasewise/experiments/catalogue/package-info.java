/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The experiments, each a class of its own. */
package io.phasewise.experiments.catalogue;
