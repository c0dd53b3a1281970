/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Runs the measuring of one cluster and of each of its profiles, and keeps it going whatever the cluster does. What is
 * sent and read is left to {@code traffic}.
 */
package io.phasewise.canary.cluster;
