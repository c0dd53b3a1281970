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
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import io.phasewise.common.phase.Phase;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where a stalled follower's delay goes when one pipelined producer sends all probes over a
 * simulated connection, each in a request of its own. The follower is paused for the first 400 ms
 * of every second; probes are due 20 times a second, the same in every run.
 */
class StalledPipelineTest {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long PAUSE = 400 * MILLI;
    private static final long ONE_WAY = 200 * MICRO;
    private static final int PROBES = 4_000;

    /** The means of all probes' phases, in milliseconds. */
    private static Map<Phase, Double> run(int window, boolean stalls, Attribution attribution) {
        Random random = new Random(11);
        RequestQueue queue = new RequestQueue(window);
        Deque<Long> inFlight = new ArrayDeque<>(); // when each will be answered
        Map<Phase, Double> means = new EnumMap<>(Phase.class);
        long due = 0;
        long lastDispatched = 0;
        long unmuted = 0;
        for (int i = 0; i < PROBES; i++) {
            due += (long) (-Math.log(1 - random.nextDouble()) * SECOND / 20);
            long t1 = Math.max(due, lastDispatched);
            while (!inFlight.isEmpty()
                    && (inFlight.peekFirst() <= t1 || inFlight.size() == window)) {
                t1 = Math.max(t1, inFlight.removeFirst());
            }
            long read = Math.max(t1 + ONE_WAY, unmuted);
            long t2 = read + 100 * MICRO + random.nextInt(200_000);
            long t3 = t2 + 500 * MICRO + random.nextInt(400_000);
            if (stalls) {
                t3 += Math.max(0, PAUSE - Math.floorMod(t3, SECOND));
            }
            long t5 = t3 + 300 * MICRO;
            long completed = t3 + ONE_WAY;
            Dispatch dispatch = new Dispatch(1, i, inFlight.size(), t1, completed, true);
            Timeline timeline = Timeline.ofProbe(new Instants(due, t1, t2, t3, t3, t5));
            if (attribution == Attribution.CRITICAL_PATH) {
                for (Wait wait : queue.waits(dispatch, due)) {
                    timeline = timeline.behind(wait);
                }
            }
            assertThat(timeline.breakdown().total()).isEqualTo(t5 - due);
            for (Phase phase : Phase.values()) {
                double millis = timeline.breakdown().of(phase) / 1e6;
                means.merge(phase, millis / PROBES, Double::sum);
            }
            Timeline request = Timeline.ofRequest(due, t1, t2, t3, completed, Acks.ALL);
            queue.add(dispatch, due, request, t3);
            inFlight.addLast(completed);
            lastDispatched = t1;
            unmuted = t3;
        }
        return means;
    }

    private static Map<Phase, Double> added(int window, Attribution attribution) {
        Map<Phase, Double> added = run(window, true, attribution);
        run(window, false, attribution)
                .forEach((phase, ms) -> added.merge(phase, -ms, Double::sum));
        return added;
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
        Map<Phase, Double> page =
                Map.of(
                        Phase.PRODUCE, produce,
                        Phase.PUBLISH, publish,
                        Phase.COMMIT, commit,
                        Phase.CATCH_UP, 0.0,
                        Phase.FETCH, fetch);

        assertThat(added(window, attribution))
                .allSatisfy(
                        (phase, ms) -> assertThat(ms).isCloseTo(page.get(phase), within(0.051)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void alongTheCriticalPathItIsCommitInSmallWindowsToo(int window) {
        Map<Phase, Double> added = added(window, Attribution.CRITICAL_PATH);
        double all = added.values().stream().mapToDouble(Double::doubleValue).sum();

        assertThat(added.get(Phase.COMMIT)).isGreaterThan(0.95 * all);
    }
}
