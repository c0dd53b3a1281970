/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.show.metrics.ClusterMetrics;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.supervise.ProblemBoard;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class TrafficEventsTest {
    private final AtomicLong clock = new AtomicLong();
    private final ProblemBoard board = new ProblemBoard("cluster prod", clock::get);
    private final ClusterMetrics metrics = Contexts.context(
                    new PrometheusRegistry(), InstantSource.system(), clock::get)
            .metrics()
            .cluster("prod", "default", false);
    private final TrafficEvents events = new TrafficEvents(metrics, "group", () -> {}, clock::get);

    @Test
    void aFailureIsRememberedForAWhileOnly() {
        assertThat(posted()).isEmpty();
        events.commitFailed(new TimeoutException("x"));
        clock.set(Duration.ofSeconds(10).toNanos());
        assertThat(posted()).containsExactly(new Problem("consumer", "committing offsets fails: TimeoutException: x"));

        clock.incrementAndGet();
        assertThat(posted()).isEmpty();
    }

    private List<Problem> posted() {
        events.post(Reports.of(metrics, board));
        return board.problems();
    }
}
