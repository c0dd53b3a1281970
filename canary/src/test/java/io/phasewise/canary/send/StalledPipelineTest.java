/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Where a stalled follower's delay goes when one pipelined producer sends all probes: a simulated
 * connection, 20 probes a second, each a request of its own, and a follower that is paused for 400
 * ms of every second.
 */
class StalledPipelineTest {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final int PROBES = 4_000;
    private static final long ONE_WAY = 200 * MICRO;

    /** Means over all probes, milliseconds. */
    private record Means(double produce, double publish, double commit, double fetch) {
        Means minus(Means quiet) {
            return new Means(
                    produce - quiet.produce,
                    publish - quiet.publish,
                    commit - quiet.commit,
                    fetch - quiet.fetch);
        }

        double share(double phase) {
            return phase / (produce + publish + commit + fetch);
        }
    }

    private static Means run(int window, boolean stalls, Attribution attribution) {
        Random random = new Random(11);
        RequestQueue queue = new RequestQueue(window);
        Deque<Long> inFlight = new ArrayDeque<>(); // when each will be answered
        long[] sums = new long[4];
        long due = 0;
        long lastDispatched = 0;
        long unmuted = 0;
        for (int i = 0; i < PROBES; i++) {
            due += (long) (-Math.log(1 - random.nextDouble()) * 50 * MILLI);
            long t1 = Math.max(due, lastDispatched);
            while (!inFlight.isEmpty()
                    && (inFlight.peekFirst() <= t1 || inFlight.size() == window)) {
                t1 = Math.max(t1, inFlight.removeFirst());
            }
            long read = Math.max(t1 + ONE_WAY, unmuted);
            long t2 = read + 100 * MICRO + random.nextInt(200_000);
            long t3 = t2 + 500 * MICRO + random.nextInt(400_000);
            long intoSecond = Math.floorMod(t3, SECOND);
            if (stalls && intoSecond < 400 * MILLI) {
                t3 += 400 * MILLI - intoSecond;
            }
            long completed = t3 + ONE_WAY;
            Dispatch dispatch = new Dispatch(1, i, inFlight.size(), t1, completed, true);
            Timeline timeline =
                    Timeline.ofProbe(new Instants(due, t1, t2, t3, t3, t3 + 300 * MICRO));
            if (attribution == Attribution.CRITICAL_PATH) {
                for (Wait wait : queue.waits(dispatch, due)) {
                    timeline = timeline.behind(wait);
                }
            }
            PhaseBreakdown phases = timeline.breakdown();
            assertThat(phases.total()).isEqualTo(t3 + 300 * MICRO - due);
            sums[0] += phases.produce();
            sums[1] += phases.publish();
            sums[2] += phases.commit();
            sums[3] += phases.fetch();
            queue.add(
                    dispatch,
                    due,
                    Timeline.ofRequest(due, t1, t2, t3, completed, Acks.ALL),
                    completed - ONE_WAY);
            inFlight.addLast(completed);
            lastDispatched = t1;
            unmuted = t3;
        }
        double scale = 1.0 / PROBES / MILLI;
        return new Means(sums[0] * scale, sums[1] * scale, sums[2] * scale, sums[3] * scale);
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
        assertThat(added.produce).isCloseTo(produce, rounding);
        assertThat(added.publish).isCloseTo(publish, rounding);
        assertThat(added.commit).isCloseTo(commit, rounding);
        assertThat(added.fetch).isCloseTo(fetch, rounding);
    }

    @Test
    void alongTheCriticalPathItIsCommitWhateverTheWindow() {
        for (int window : new int[] {1, 2, 5, 100}) {
            Means added = added(window, Attribution.CRITICAL_PATH);
            assertThat(added.share(added.commit)).as("%d in flight", window).isGreaterThan(0.95);
        }
    }
}
