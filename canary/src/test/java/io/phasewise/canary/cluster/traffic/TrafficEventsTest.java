/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.cluster.access.Reports;
import io.phasewise.canary.cluster.context.Contexts;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Ledgers;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.show.metrics.ClusterMetrics;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.supervise.ProblemBoard;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

class TrafficEventsTest {
    private final AtomicLong clock = new AtomicLong();
    private final ProblemBoard board = new ProblemBoard("cluster prod", clock::get);
    private final ClusterMetrics metrics = Contexts.context(
                    new PrometheusRegistry(), InstantSource.system(), clock::get)
            .metrics()
            .cluster("prod", "default");
    private final TrafficEvents events = new TrafficEvents(
            metrics,
            new TrafficEvents.Names("probes", "group"),
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

    @Test
    void aRightThatIsMissingIsNamedWithWhatItIsOn() {
        events.failed(new TopicAuthorizationException(Set.of("probes")));
        assertThat(posted())
                .singleElement()
                .asString()
                .contains("reading fails: the canary's user needs Read on topic probes");

        events.failed(GroupAuthorizationException.forGroupId("group"));
        assertThat(posted())
                .singleElement()
                .asString()
                .contains("the canary's user needs Read on consumer group group");

        events.commitFailed(new TopicAuthorizationException(Set.of("probes")));
        assertThat(posted())
                .singleElement()
                .asString()
                .contains("committing offsets fails: the canary's user needs Read on topic");
    }

    @Test
    void aProducerThatGetsNoIdLacksWriteOnTheTopicWhateverKafkaSays() {
        events.failed(probe(7), new ClusterAuthorizationException("Cluster authorization failed."));
        assertThat(posted())
                .containsExactly(new Problem(
                        "producer",
                        "probes to broker 7 fail: the canary's user needs Write on topic probes"
                                + " (ClusterAuthorizationException: Cluster authorization failed.)"));
    }

    @Test
    void aClientThatKnowsNoLeaderDoesNotSpeakOfAMissingTopic() {
        events.failed(probe(7), new TimeoutException("Topic probes not present in metadata after 0 ms."));
        assertThat(posted()).singleElement().asString().contains("the client knows no leader of the partition");
    }

    @Test
    void aQuotaThatHoldsTheClientsBackIsToldWithHowLong() {
        events.postThrottle(Reports.of(metrics, board), 0);
        assertThat(board.problems()).isEmpty();

        events.throttled(340);
        events.throttled(12);
        events.postThrottle(Reports.of(metrics, board), 50);
        assertThat(board.problems())
                .containsExactly(new Problem(
                        "quota",
                        "the brokers throttle the canary by a quota of its user or client id:"
                                + " produce requests by up to 340 ms, fetches by up to 50 ms; latencies include that"));

        clock.set(Duration.ofSeconds(10).toNanos() + 1);
        events.postThrottle(Reports.of(metrics, board), 0);
        assertThat(board.problems()).isEmpty();
    }

    /** Once for 5,000 ms, and then by a little for ever. */
    @Test
    void aLongThrottleOfOldIsNotToldForAsLongAsThereAreShortOnes() {
        events.throttled(5_000);
        for (int i = 1; i <= 5; i++) {
            clock.addAndGet(Duration.ofSeconds(5).toNanos());
            events.throttled(1);
            events.postThrottle(Reports.of(metrics, board), 0);
            assertThat(board.problems())
                    .singleElement()
                    .extracting(Problem::message)
                    .asString()
                    .contains(i <= 2 ? "up to 5000 ms" : "up to 1 ms");
        }
        clock.addAndGet(Duration.ofSeconds(10).toNanos());
        events.postThrottle(Reports.of(metrics, board), 0);
        assertThat(board.problems()).as("the latest counts for as long").hasSize(1);
    }

    private static Probe probe(int leader) {
        return new Ledgers().leading(0, leader).scheduled(0, 0);
    }

    private List<Problem> posted() {
        events.post(Reports.of(metrics, board));
        return board.problems();
    }
}
