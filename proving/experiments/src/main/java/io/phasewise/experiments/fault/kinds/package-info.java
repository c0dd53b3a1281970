/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Which kinds of faults the YAML files may name. */
package io.phasewise.experiments.fault.kinds;
