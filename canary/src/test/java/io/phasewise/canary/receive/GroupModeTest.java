/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.receive;

import static io.phasewise.canary.receive.ConsumerTestBed.BOUND;
import static io.phasewise.canary.receive.ConsumerTestBed.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupModeTest {
    private static final TopicPartition ZERO = partition(0);
    private static final TopicPartition ONE = partition(1);

    private final MockConsumer<byte[], byte[]> kafka = new MockConsumer<>("latest");
    private final ConsumerTestBed bed = new ConsumerTestBed(Optional.of(Duration.ofMillis(1)), kafka, () -> kafka);
    private final ProbeConsumer consumer = bed.consumer;

    @BeforeEach
    void start() {
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
        assertThat(bed.position(0)).isEqualTo(3);
    }

    @Test
    void aPartitionThatComesBackIsReadOnFromWhereItStoodAndStaysServedMeanwhile() {
        give(ZERO, ONE);
        bed.deliverProbe(3);

        give(ONE);
        await().atMost(BOUND).until(() -> consumer.heldByOthers().equals(Set.of(0)));
        assertThat(consumer.reading()).containsExactlyInAnyOrder(0, 1);
        give(ZERO, ONE);

        await().atMost(BOUND).until(() -> consumer.heldByOthers().isEmpty());
        assertThat(bed.position(0)).isEqualTo(4);
    }

    @Test
    void aPartitionWhoseStartIsNotKnownYetWaits() {
        TopicPartition fresh = partition(2);
        kafka.updateBeginningOffsets(Map.of(fresh, 0L));
        kafka.updateEndOffsets(Map.of(fresh, 0L));
        give(ZERO, fresh);
        await().atMost(BOUND).until(() -> kafka.paused().contains(fresh));
        assertThat(consumer.reading()).doesNotContain(2);

        consumer.read(Map.of(0, 3L, 1, 0L, 2, 8L));

        await().atMost(BOUND).until(() -> consumer.reading().contains(2));
        assertThat(bed.position(2)).isEqualTo(8);
        assertThat(kafka.paused()).isEmpty();
    }

    @Test
    void whileItHoldsNothingItIsAwayFromPoll() {
        give(ZERO);
        await().atMost(BOUND).until(() -> consumer.reading().contains(0));
        give();
        await().atMost(BOUND).until(() -> kafka.assignment().isEmpty());
        long from = System.nanoTime();
        await().pollInterval(Duration.ofMillis(1)).until(() -> System.nanoTime() - from > 20_000_000);
        long to = System.nanoTime();

        assertThat(bed.polls.catchUpNanos(0, from, to)).isEqualTo(to - from);
    }

    private void give(TopicPartition... partitions) {
        kafka.schedulePollTask(() -> kafka.rebalance(List.of(partitions)));
        await().atMost(BOUND).until(() -> kafka.assignment().equals(Set.of(partitions)));
    }
}
