/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What the program does once and then ends: say what it may do in a cluster, and take away what
 * canaries left there. Measuring is left to {@code cluster}.
 */
package io.phasewise.canary.commands;
