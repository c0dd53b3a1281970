/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The experiments, each a YAML file among the resources. */
package io.phasewise.experiments.catalogue;
