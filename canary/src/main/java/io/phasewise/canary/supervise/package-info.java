/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Keeps the canary's own threads at work, knows whether it was the canary that did not run, and
 * keeps the list of what is wrong. Showing that list is left to {@code show}.
 */
package io.phasewise.canary.supervise;
