/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What people and programs see of the canary, one package for each way of seeing. It decides
 * nothing about probes, and only {@code cluster} and the program use it.
 */
package io.phasewise.canary.show;
