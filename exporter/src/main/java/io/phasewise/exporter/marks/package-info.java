/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What a leader knows of a record: when it was appended, when each follower had it, when it was
 * committed, and who was waited for. Where Kafka's classes call it is data of {@link
 * io.phasewise.exporter.marks.MarkHooks}; putting the calls in is left to instrument.
 */
package io.phasewise.exporter.marks;
