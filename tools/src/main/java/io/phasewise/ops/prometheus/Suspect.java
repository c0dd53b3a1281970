/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.prometheus;

/**
 * The broker that {@code kafka_suspect} names.
 *
 * @param broker its node id
 * @param who the broker and what of it, in the canary's words
 * @param seconds that a probe waits for it in excess of what is usual, all phases together
 */
public record Suspect(int broker, String who, double seconds) {}
