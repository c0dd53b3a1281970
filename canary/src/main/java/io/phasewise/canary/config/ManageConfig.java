/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

/**
 * Which kinds of change the canary may make to its topic; managed clusters often deny some of them.
 *
 * @param create create the topic when it is missing
 * @param expand add partitions when brokers were added
 * @param reassign move replicas so that each broker is the preferred leader of one partition
 * @param elect give leadership back to the preferred leader
 * @param configure alter the topic's settings
 */
public record ManageConfig(boolean create, boolean expand, boolean reassign, boolean elect, boolean configure) {}
