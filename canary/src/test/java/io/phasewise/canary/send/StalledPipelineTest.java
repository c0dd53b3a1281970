/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static io.phasewise.canary.send.StallingFollower.MICRO;
import static io.phasewise.canary.send.StallingFollower.PROBES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import io.phasewise.canary.send.StallingFollower.Means;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where a stalled follower's delay goes when one pipelined producer sends all probes over a
 * simulated connection, each in a request of its own.
 */
class StalledPipelineTest {
    private static final long ONE_WAY = 200 * MICRO;

    private static Means run(int window, boolean stalls, Attribution attribution) {
        StallingFollower follower = new StallingFollower(stalls);
        RequestQueue queue = new RequestQueue(window);
        Deque<Long> inFlight = new ArrayDeque<>(); // when each will be answered
        long lastDispatched = 0;
        long unmuted = 0;
        for (int i = 0; i < PROBES; i++) {
            long due = follower.nextDue();
            long t1 = Math.max(due, lastDispatched);
            while (!inFlight.isEmpty()
                    && (inFlight.peekFirst() <= t1 || inFlight.size() == window)) {
                t1 = Math.max(t1, inFlight.removeFirst());
            }
            long read = Math.max(t1 + ONE_WAY, unmuted);
            long t2 = read + 100 * MICRO + follower.random.nextInt(200_000);
            long t3 = follower.committed(t2);
            long t5 = t3 + 300 * MICRO;
            long completed = t3 + ONE_WAY;
            Dispatch dispatch = new Dispatch(1, i, inFlight.size(), t1, completed, true);
            Timeline timeline = Timeline.ofProbe(new Instants(due, t1, t2, t3, t3, t5));
            if (attribution == Attribution.CRITICAL_PATH) {
                for (Wait wait : queue.waits(dispatch, due)) {
                    timeline = timeline.behind(wait);
                }
            }
            follower.add(timeline.breakdown(), t5 - due);
            Timeline request = Timeline.ofRequest(due, t1, t2, t3, completed, Acks.ALL);
            queue.add(dispatch, due, request, t3);
            inFlight.addLast(completed);
            lastDispatched = t1;
            unmuted = t3;
        }
        return follower.means();
    }

    private static Means added(int window, Attribution attribution) {
        return run(window, true, attribution).minus(run(window, false, attribution));
    }

    /** The table in docs/explanation/accuracy.md. */
    @ParameterizedTest
    @CsvSource({
        "5, CRITICAL_PATH, 0.0, 0.1, 86.0, 0.1",
        "5, POSITION, 20.5, 48.3, 17.4, 0.0",
        "100, CRITICAL_PATH, 0.0, 0.2, 86.0, 0.0",
        "100, POSITION, 0.0, 68.8, 17.4, 0.0"
    })
    void whatAStallAddsIsWhatThePageSays(
            int window,
            Attribution attribution,
            double produce,
            double publish,
            double commit,
            double fetch) {
        Means added = added(window, attribution);

        Offset<Double> rounding = within(0.051);
        assertThat(added.produce()).isCloseTo(produce, rounding);
        assertThat(added.publish()).isCloseTo(publish, rounding);
        assertThat(added.commit()).isCloseTo(commit, rounding);
        assertThat(added.fetch()).isCloseTo(fetch, rounding);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void alongTheCriticalPathItIsCommitInSmallWindowsToo(int window) {
        assertThat(added(window, Attribution.CRITICAL_PATH).shareOfCommit()).isGreaterThan(0.95);
    }
}
