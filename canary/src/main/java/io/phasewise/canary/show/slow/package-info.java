/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The probes worth a person's look: the slowest of the last hour, the lost ones, and their log. */
package io.phasewise.canary.show.slow;
