/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Brokers that have more to do. */
package io.phasewise.experiments.fault.overload;
