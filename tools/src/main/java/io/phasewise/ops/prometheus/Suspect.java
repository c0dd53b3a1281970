/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.prometheus;

/**
 * The broker that {@code kafka_suspect} names.
 *
 * @param broker its node id
 * @param role as whom, for instance follower
 * @param phase which probes wait in
 * @param source {@code broker} or {@code inferred}
 * @param seconds that a probe waits for it
 */
public record Suspect(int broker, String role, String phase, String source, double seconds) {}
