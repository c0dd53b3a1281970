/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The wire form of marks: what a broker's agent reports about the canary's records and about what
 * they waited for, line by line. There are two forms; agent and canary may differ by a release, and
 * each side passes over what it does not know.
 */
package io.phasewise.common.marks;
