/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Keeps the canary's own threads at work, knows when the canary itself was paused, and keeps the
 * list of what is wrong. Showing that list is left to {@code show}.
 */
package io.phasewise.canary.supervise;
