/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static java.util.Comparator.comparingLong;

import io.phasewise.common.file.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * One canary of several that share a configuration and its clusters; which clusters are its own is
 * decided by their names alone, so that the canaries need not know of each other.
 *
 * <p>A cluster belongs to the canary whose number, hashed together with the cluster's name, gives
 * the greatest value (rendezvous hashing; Thaler and Ravishankar 1998): when a canary is added or
 * removed, only the clusters that it gets or had move.
 *
 * @param index this canary's number, from 0 to {@code count} - 1
 * @param count how many canaries there are, at least 1
 */
record Shard(
        @Bounds("0 to shard.count - 1") int index,
        @Bounds("1 to 1000") int count) {

    /** Whether the cluster is this canary's, with all its profiles. */
    boolean takes(String cluster) {
        Comparator<Integer> byWeight = comparingLong(canary -> hash(canary + ":" + cluster));
        return IntStream.range(0, count).boxed().max(byWeight).orElseThrow() == index;
    }

    private static long hash(String text) {
        return ByteBuffer.wrap(Sha256.of(text.getBytes(StandardCharsets.UTF_8))).getLong();
    }
}
