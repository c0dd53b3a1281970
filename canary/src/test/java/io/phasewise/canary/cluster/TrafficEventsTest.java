/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Ledgers;
import io.phasewise.canary.show.metrics.ClusterMetrics;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.supervise.ProblemBoard;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
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
    private final TrafficEvents events = new TrafficEvents(
            metrics,
            "group",
            TrafficEvents.Memory.of(Duration.ofSeconds(5), Duration.ofSeconds(30)),
            () -> {},
            clock::get);

    @Test
    void aFailureIsRememberedForAWhileOnly() {
        assertThat(posted()).isEmpty();
        events.commitFailed(new TimeoutException("x"));
        clock.set(Duration.ofSeconds(30).toNanos());
        assertThat(posted()).containsExactly(new Problem("consumer", "committing offsets fails: TimeoutException: x"));

        clock.incrementAndGet();
        assertThat(posted()).isEmpty();
    }

    /** Else one that lasts would be told, and told to be solved, in turn. */
    @Test
    void aFailureCountsUntilTheNextIsDue() {
        assertThat(TrafficEvents.Memory.of(Duration.ofSeconds(105), Duration.ofSeconds(180)))
                .isEqualTo(new TrafficEvents.Memory(Duration.ofSeconds(105), Duration.ofSeconds(180)));
        assertThat(TrafficEvents.Memory.of(Duration.ofSeconds(5), Duration.ZERO))
                .isEqualTo(new TrafficEvents.Memory(Duration.ofSeconds(10), Duration.ofSeconds(10)));
    }

    @Test
    void whatABrokerThatLeftHadFailedIsTakenDownAndAllIsAtTheEnd() {
        Ledger ledger = Ledgers.counting();
        ledger.lead(0, 7);
        ledger.lead(1, 8);
        events.failed(ledger.scheduled(0, 0), new TimeoutException("x"));
        events.failed(ledger.scheduled(1, 0), new TimeoutException("x"));
        assertThat(posted()).hasSize(2);
        events.retainBrokers(Set.of(8));
        assertThat(posted())
                .singleElement()
                .extracting(Problem::message)
                .asString()
                .contains("broker 8");

        events.forget(Reports.of(metrics, board));
        assertThat(board.problems()).isEmpty();
    }

    private List<Problem> posted() {
        events.post(Reports.of(metrics, board));
        return board.problems();
    }
}
