/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import java.util.Optional;

/**
 * A probe was given a lane: send it now.
 *
 * @param <P> what stands for a probe
 * @param probe the probe
 * @param leader broker id of its leader
 * @param lane the lane's number, from 0
 * @param front the probe that it waited behind, empty when it did not wait. It is the probe whose
 *     release set the lane free or, where a new lane ended the wait, whichever had held its lane
 *     longest when the wait began. The wait from {@code waitedSince} to {@code grantedAt} is to be
 *     charged to its phases.
 * @param waitedSince when it asked, nanoseconds on the canary's monotonic clock
 * @param grantedAt when it got the lane, not before {@code waitedSince}
 */
record LaneGrant<P>(P probe, int leader, int lane, Optional<P> front, long waitedSince, long grantedAt) {

    /** Nanoseconds waited, at least 0. */
    long waitedNanos() {
        return grantedAt - waitedSince;
    }
}
