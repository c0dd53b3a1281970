/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MirrorWatchTest {
    private static final long SECOND = 1_000_000_000L;

    private final MirrorWatch watch = new MirrorWatch(Duration.ofSeconds(6));

    @Test
    void whatGrowsOnOneSideOnlyStandsStillAfterAWhile() {
        assertThat(update(100, 90, 0)).isFalse();
        assertThat(update(120, 90, 5)).as("lacks something since now").isFalse();
        assertThat(update(140, 90, 10)).isFalse();
        assertThat(update(160, 90, 11)).isTrue();
        assertThat(update(180, 90, 12)).as("still").isTrue();
    }

    @Test
    void oneRecordEndsIt() {
        update(100, 90, 0);
        update(120, 90, 5);
        update(160, 90, 20);
        assertThat(update(200, 91, 25)).isFalse();
        assertThat(update(220, 91, 30)).isFalse();
        assertThat(update(240, 91, 36)).isTrue();
    }

    @Test
    void aSourceThatDoesNotGrowLeavesNothingToMirror() {
        update(100, 90, 0);
        assertThat(update(100, 90, 1000)).isFalse();
    }

    @Test
    void aTopicThatWasMadeAnewCountsAsMoving() {
        update(100, 90, 0);
        update(160, 90, 5);
        assertThat(update(200, 3, 20)).isFalse();
    }

    private boolean update(long source, long target, long seconds) {
        return watch.update(source, target, seconds * SECOND);
    }
}
