/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Whether brokers can be reached, and how long they take to answer a ping. */
package io.phasewise.canary.cluster.reach;
