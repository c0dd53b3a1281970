/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.phases.PollLog;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PollRecorderTest {
    private static final TopicPartition PARTITION = new TopicPartition("probes", 0);

    private final PollLog polls = new PollLog(60_000_000_000L, 16);
    private long now;
    private final PollRecorder recorder = new PollRecorder(polls, () -> now);

    private void poll(long from, long until, boolean leftMore) {
        now = from;
        recorder.enter(true);
        now = until;
        recorder.leave(List.of(PARTITION), partition -> leftMore);
    }

    /** A record that was committed at 20 is brought by the second poll. */
    @Test
    void aPollThatBroughtAllThereWasIsNoCatchingUp() {
        poll(0, 100, false);
        poll(100, 200, false);

        assertThat(polls.catchUpNanos(0, 20, 200)).isZero();
    }

    @Test
    void aPollThatLeftRecordsBehindIs() {
        poll(0, 100, true);
        poll(100, 200, false);

        assertThat(polls.catchUpNanos(0, 20, 200)).isEqualTo(80);
    }
}
