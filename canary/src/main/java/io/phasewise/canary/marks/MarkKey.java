/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

/**
 * Identifies a record.
 *
 * @param topicId as Kafka prints it: another one when a topic is made again
 */
public record MarkKey(String topicId, int partition, long offset) {}
