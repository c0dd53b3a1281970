/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The wire form of marks: what a broker's agent reports about the canary's records, line by line.
 * Each side passes over what it does not know, so agent and canary may differ by a release.
 */
package io.phasewise.common.marks;
