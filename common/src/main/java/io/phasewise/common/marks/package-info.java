/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The wire form of marks: what a broker's agent tells of the canary's records, line by line. Either
 * side passes over what it does not know, so they may differ by a release.
 */
package io.phasewise.common.marks;
