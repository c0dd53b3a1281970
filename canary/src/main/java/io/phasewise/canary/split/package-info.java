/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Makes phases of trips: by the marks of the leader where it reports them, by an estimate otherwise. What an instant or
 * a phase is, is left to {@code phases}; where marks come from, to {@code marks}.
 */
package io.phasewise.canary.split;
