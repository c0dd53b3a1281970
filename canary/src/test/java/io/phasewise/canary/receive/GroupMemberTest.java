/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupMemberTest {
    private static final TopicPartition ZERO = new TopicPartition("probes", 0);
    private static final TopicPartition ONE = new TopicPartition("probes", 1);
    private static final long SECOND = 1_000_000_000;

    private final RecordedEvents told = new RecordedEvents();
    private final List<String> events = told.events;
    private final Asked kafka = new Asked();
    private long now = 5 * SECOND;
    private final GroupMember member = new GroupMember(Duration.ofSeconds(1), told, () -> now);

    @BeforeEach
    void use() {
        member.use(kafka);
    }

    @Test
    void commitsWhatItHoldsAndHasReadOnceInEachInterval() {
        member.commitIfDue(Map.of(0, 7L));
        assertThat(kafka.commits).as("it holds nothing").isEmpty();
        now += SECOND;
        member.assigned(List.of(ZERO, ONE));
        member.commitIfDue(Map.of(0, 7L));
        kafka.answer(null);
        member.commitIfDue(Map.of(0, 8L));
        laterCommit(Map.of(0, 9L, 1, 2L, 2, 3L));
        kafka.answer(null);
        member.revoked(List.of(ZERO, ONE));
        assertThat(member.held()).isEmpty();
        laterCommit(Map.of(0, 9L));
        assertThat(kafka.commits)
                .containsExactly(
                        Map.of(ZERO, new OffsetAndMetadata(7)),
                        Map.of(ZERO, new OffsetAndMetadata(9), ONE, new OffsetAndMetadata(2)));
    }

    @Test
    void aCommitTakesFromAskingToTheAnswerAndTheNextOneWaitsForIt() {
        member.assigned(List.of(ZERO));
        member.commitIfDue(Map.of(0, 7L));
        now += 3 * SECOND;
        member.commitIfDue(Map.of(0, 8L));
        assertThat(kafka.commits).as("the first is still under way").hasSize(1);
        kafka.answer(null);
        laterCommit(Map.of(0, 9L));
        assertThat(kafka.commits).hasSize(2);
        kafka.answer(new RebalanceInProgressException());
        laterCommit(Map.of(0, 9L));
        assertThat(kafka.commits).as("a failure ends nothing").hasSize(3);
        assertThat(events).containsExactly("committed " + 3 * SECOND, "failed RebalanceInProgressException");
    }

    /** When the next interval has begun. */
    private void laterCommit(Map<Integer, Long> read) {
        now += SECOND;
        member.commitIfDue(read);
    }

    @Test
    void theAnswerToAClientThatWasReplacedIsNobodys() {
        member.assigned(List.of(ZERO));
        member.commitIfDue(Map.of(0, 7L));
        member.use(new Asked());

        kafka.answer(null);

        assertThat(events).isEmpty();
        assertThat(member.held()).isEmpty();
    }

    @Test
    void pollsAreShortWhileACommitIsUnderWaySoThatItsEndIsSeenToATenth() {
        assertThat(member.patience()).isEqualTo(Duration.ofSeconds(1));
        member.assigned(List.of(ZERO));
        member.commitIfDue(Map.of(0, 7L));

        assertThat(member.patience()).isEqualTo(Duration.ofMillis(1));
        now += SECOND / 2;
        assertThat(member.patience()).isEqualTo(Duration.ofMillis(50));
        now += 100 * SECOND;
        assertThat(member.patience()).isEqualTo(Duration.ofSeconds(1));
        kafka.answer(null);
        assertThat(member.patience()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void rebalancesComeFromTheClientsOwnSumsAndOfSeveralTheirMean() {
        member.commitIfDue(Map.of());
        kafka.rebalances(1, 400);
        laterCommit(Map.of());
        laterCommit(Map.of());
        kafka.rebalances(3, 1_000);
        laterCommit(Map.of());

        assertThat(events).containsExactly("rebalanced 400000000", "rebalanced 300000000", "rebalanced 300000000");
    }

    /** Answers a commit when it is told to. */
    private static final class Asked extends MeteredConsumer {
        private final List<Map<TopicPartition, OffsetAndMetadata>> commits = new ArrayList<>();
        private double rebalances;
        private double rebalanceMillis;
        private OffsetCommitCallback callback;

        private Asked() {
            String group = "consumer-coordinator-metrics";
            show(group, "rebalance-total", Map.of(), () -> rebalances);
            show(group, "rebalance-latency-total", Map.of(), () -> rebalanceMillis);
        }

        @Override
        public void commitAsync(Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
            commits.add(offsets);
            this.callback = callback;
        }

        private void answer(Exception failure) {
            callback.onComplete(commits.get(commits.size() - 1), failure);
        }

        private void rebalances(double count, double milliseconds) {
            rebalances = count;
            rebalanceMillis = milliseconds;
        }
    }
}
