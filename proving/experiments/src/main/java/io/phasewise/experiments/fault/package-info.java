/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What a fault is, and what every kind of fault stands on. The kinds are in the rooms below. */
package io.phasewise.experiments.fault;
