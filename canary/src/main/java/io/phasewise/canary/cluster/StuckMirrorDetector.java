/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import java.time.Duration;

/**
 * Notices that a topic grows in its own cluster and no longer in that which mirrors it; reading
 * both ends is left to the caller. Not thread-safe.
 */
final class StuckMirrorDetector {
    private final long patienceNanos;
    private boolean seen;
    private long sourceThen;
    private long targetThen;
    private boolean behind;
    private long behindSince;
    private boolean stuck;

    /**
     * @param patience how long the target may lack what the source has got
     */
    StuckMirrorDetector(Duration patience) {
        this.patienceNanos = patience.toNanos();
    }

    /**
     * Takes in where the logs end.
     *
     * @param source offsets of the source's partitions, added up
     * @param target those of the target's
     * @param nowNanos the present
     * @return whether the target has not grown for too long
     */
    boolean update(long source, long target, long nowNanos) {
        if (!seen || target != targetThen) {
            seen = true;
            targetThen = target;
            sourceThen = source;
            behind = false;
            stuck = false;
        } else if (source != sourceThen && !behind) {
            behind = true;
            behindSince = nowNanos;
        }
        if (behind && nowNanos - behindSince >= patienceNanos) {
            stuck = true;
        }
        return stuck;
    }
}
