/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import io.phasewise.common.phase.Phase;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    private static final int PROBES = 4_000;

    private static Map<Phase, Double> run(int window, boolean stalls, Attribution attribution) {
        Random random = new Random(11);
        SimulatedConnection connection = new SimulatedConnection(
                window,
                200 * MICRO,
                () -> (long) (-Math.log(1 - random.nextDouble()) * SECOND / 20),
                () -> 100 * MICRO + random.nextInt(200_000),
                appended -> {
                    long at = appended + 500 * MICRO + random.nextInt(400_000);
                    return at + (stalls ? Math.max(0, PAUSE - at % SECOND) : 0);
                });
        RequestQueue queue = new RequestQueue(window);
        Map<Phase, Double> means = new EnumMap<>(Phase.class);
        for (SimulatedConnection.Request request : connection.requests(PROBES)) {
            long delivered = request.committed() + 300 * MICRO;
            Timeline timeline = request.probe(delivered);
            if (attribution == Attribution.CRITICAL_PATH) {
                for (Wait wait : queue.waits(request.dispatch(), request.ready())) {
                    timeline = timeline.behind(wait);
                }
            }
            assertThat(timeline.breakdown().total()).isEqualTo(delivered - request.ready());
            for (Phase phase : Phase.values()) {
                double millis = timeline.breakdown().of(phase) / 1e6;
                means.merge(phase, millis / PROBES, Double::sum);
            }
            queue.add(request.dispatch(), request.ready(), request.own(), request.committed());
        }
        return means;
    }

    private static Map<Phase, Double> added(int window, Attribution attribution) {
        Map<Phase, Double> added = run(window, true, attribution);
        run(window, false, attribution).forEach((phase, ms) -> added.merge(phase, -ms, Double::sum));
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
            int window, Attribution attribution, double produce, double publish, double commit, double fetch) {
        Map<Phase, Double> page = Map.of(
                Phase.PRODUCE, produce,
                Phase.PUBLISH, publish,
                Phase.COMMIT, commit,
                Phase.CATCH_UP, 0.0,
                Phase.FETCH, fetch);

        assertThat(added(window, attribution))
                .allSatisfy((phase, ms) -> assertThat(ms).isCloseTo(page.get(phase), within(0.051)));
    }
}
