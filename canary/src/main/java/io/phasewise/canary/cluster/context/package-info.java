/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** What is handed to every part of one cluster or one profile when it is made, and the file that pauses all of them. */
package io.phasewise.canary.cluster.context;
