/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ProbeContent;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Ledgers;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.supervise.Supervisor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupModeTest {
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final TopicPartition ZERO = new TopicPartition("probes", 0);
    private static final TopicPartition ONE = new TopicPartition("probes", 1);

    private final RecordedEvents told = new RecordedEvents();
    private final ProbeCodec codec = new ProbeCodec(5, 0, ProbeContent.plain(64));
    private final Ledger ledger = Ledgers.counting();
    private final PollLog polls = new PollLog(60_000_000_000L, 20_000);
    private final MockConsumer<byte[], byte[]> kafka = new MockConsumer<>("latest");
    private final ProbeConsumer consumer =
            new ProbeConsumer(
                    new Supervisor(System::nanoTime),
                    new ProbeConsumer.Settings(
                            "test", "probes", Optional.of(Duration.ofMillis(1)), false),
                    () -> kafka,
                    codec,
                    ledger,
                    told,
                    polls,
                    System::nanoTime);

    @BeforeEach
    void start() {
        ledger.lead(0, 1);
        kafka.updateBeginningOffsets(Map.of(ZERO, 0L, ONE, 0L));
        kafka.updateEndOffsets(Map.of(ZERO, 0L, ONE, 0L));
        consumer.start();
        consumer.read(Map.of(0, 3L, 1, 0L));
        await().atMost(BOUND).until(() -> kafka.subscription().contains("probes"));
    }

    @AfterEach
    void stop() throws InterruptedException {
        consumer.stop(BOUND);
    }

    @Test
    void readsWhatTheGroupGivesItFromWhereItIsTold() {
        assertThat(consumer.reading()).as("nothing before it is assigned").isEmpty();

        give(ZERO);

        await().atMost(BOUND).until(() -> consumer.reading().equals(Set.of(0)));
        assertThat(position(ZERO)).isEqualTo(3);
    }

    @Test
    void aPartitionThatComesBackIsReadOnFromWhereItStoodAndStaysServedMeanwhile() {
        give(ZERO, ONE);
        Probe probe = ledger.scheduled(0, System.nanoTime());
        kafka.schedulePollTask(
                () ->
                        kafka.addRecord(
                                new ConsumerRecord<>(
                                        "probes",
                                        0,
                                        3,
                                        null,
                                        codec.encode(0, probe.sequence(), 0).clone())));
        await().atMost(BOUND).until(() -> ledger.counts().get(0).outcomes().delivered() == 1);

        give(ONE);
        await().atMost(BOUND).until(() -> consumer.heldByOthers().equals(Set.of(0)));
        assertThat(consumer.reading()).containsExactlyInAnyOrder(0, 1);
        give(ZERO, ONE);

        await().atMost(BOUND).until(() -> consumer.heldByOthers().isEmpty());
        assertThat(position(ZERO)).isEqualTo(4);
    }

    @Test
    void aPartitionWhoseStartIsNotKnownYetWaits() {
        TopicPartition fresh = new TopicPartition("probes", 2);
        kafka.updateBeginningOffsets(Map.of(fresh, 0L));
        kafka.updateEndOffsets(Map.of(fresh, 0L));
        give(ZERO, fresh);
        await().atMost(BOUND).until(() -> kafka.paused().contains(fresh));
        assertThat(consumer.reading()).doesNotContain(2);

        consumer.read(Map.of(0, 3L, 1, 0L, 2, 8L));

        await().atMost(BOUND).until(() -> consumer.reading().contains(2));
        assertThat(position(fresh)).isEqualTo(8);
        assertThat(kafka.paused()).isEmpty();
    }

    @Test
    void commitsWhereItStandsNowAndThenAndTimesThat() {
        give(ZERO);

        await().atMost(BOUND).until(() -> told.events.size() >= 3);

        assertThat(told.events).allMatch(event -> event.matches("committed \\d+"));
        assertThat(kafka.committed(Set.of(ZERO))).containsEntry(ZERO, new OffsetAndMetadata(3));
    }

    @Test
    void whileItHoldsNothingItIsAwayFromPoll() {
        give(ZERO);
        await().atMost(BOUND).until(() -> consumer.reading().contains(0));
        give();
        await().atMost(BOUND).until(() -> kafka.assignment().isEmpty());
        long from = System.nanoTime();
        await().pollInterval(Duration.ofMillis(1))
                .until(() -> System.nanoTime() - from > 20_000_000);
        long to = System.nanoTime();

        assertThat(polls.catchUpNanos(0, from, to)).isEqualTo(to - from);
    }

    private void give(TopicPartition... partitions) {
        kafka.schedulePollTask(() -> kafka.rebalance(List.of(partitions)));
        await().atMost(BOUND).until(() -> kafka.assignment().equals(Set.of(partitions)));
    }

    private long position(TopicPartition partition) {
        long[] position = {-1};
        kafka.schedulePollTask(() -> position[0] = kafka.position(partition));
        await().atMost(BOUND).until(() -> position[0] >= 0);
        return position[0];
    }
}
