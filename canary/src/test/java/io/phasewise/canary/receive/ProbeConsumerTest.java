/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.receive;

import static io.phasewise.canary.receive.ConsumerTestBed.BOUND;
import static io.phasewise.canary.receive.ConsumerTestBed.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ProbeContent;
import io.phasewise.canary.probe.ledger.Probe;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProbeConsumerTest {
    private final AtomicReference<RuntimeException> closing = new AtomicReference<>();
    private final MockConsumer<byte[], byte[]> kafka = new MockConsumer<>("latest") {
        @Override
        public synchronized void close(CloseOptions options) {
            super.close(options);
            if (closing.get() != null) {
                throw closing.get();
            }
        }
    };
    private final MockConsumer<byte[], byte[]> successor = new MockConsumer<>("latest");
    private final AtomicReference<RuntimeException> refusal = new AtomicReference<>();
    private final Iterator<MockConsumer<byte[], byte[]>> clients =
            List.of(kafka, successor).iterator();
    private final ConsumerTestBed bed = new ConsumerTestBed(Optional.empty(), kafka, this::client);
    private final ProbeConsumer consumer = bed.consumer;
    private final List<String> events = bed.told.events;

    @BeforeEach
    void start() {
        consumer.start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        consumer.stop(BOUND);
        assertThat(kafka.closed()).isTrue();
    }

    @Test
    void startsWhereItIsToldAndKeepsThePositionOfWhatItReadsAlready() {
        readFromZero();
        Probe probe = bed.deliverProbe(0);
        assertThat(bed.latencies.endToEnd.get(0))
                .as("until poll() returned it")
                .isBetween(0L, System.nanoTime() - probe.dueNanos());
        consumer.read(Map.of(0, 0L, 1, 9L));
        await().atMost(BOUND).until(() -> consumer.reading().equals(Set.of(0, 1)));
        assertThat(bed.position(0)).isEqualTo(1);
        assertThat(bed.position(1)).isEqualTo(9);
    }

    @Test
    void recordsThatAreNotItsProbesAreCountedByKind() {
        readFromZero();

        bed.deliver(bed.codec.encode(0, ProbeCodec.NO_PROBE, 0).clone(), 0);
        bed.deliver(new byte[] {1, 2, 3}, 1);
        bed.deliver(new ProbeCodec(6, ProbeContent.plain(64)).encode(0, 0, 0).clone(), 2);
        bed.deliver(bed.codec.encode(0, 12_345, 0).clone(), 3);

        await().atMost(BOUND).until(() -> events.size() == 3);
        assertThat(events).containsExactly("FOREIGN", "OTHER_CANARY", "FOREIGN");
        assertThat(bed.ledger.counts().get(0).outcomes().delivered()).isZero();
    }

    @Test
    void goesOnAfterAFailedPoll() {
        readFromZero();

        kafka.setPollException(new TopicAuthorizationException("denied"));
        await().atMost(BOUND).until(() -> events.contains("TopicAuthorizationException"));

        bed.deliverProbe(0);
    }

    @Test
    void aFaultThatNobodyExpectedIsCountedAndReadingGoesOnWithANewConsumer() {
        readFromZero();
        bed.deliverProbe(0);

        kafka.schedulePollTask(() -> {
            throw new IllegalStateException("a fault");
        });

        await().atMost(BOUND).until(() -> successor.assignment().contains(partition(0)));
        assertThat(events).containsOnlyOnce("broken: a fault");
        assertThat(successor.position(partition(0))).isEqualTo(1);
        await().atMost(BOUND).until(kafka::closed);
    }

    @Test
    void aConsumerThatCannotBeClosedIsReplacedAllTheSame() {
        readFromZero();
        closing.set(new KafkaException("cannot be closed"));

        consumer.renew();

        await().atMost(BOUND).until(() -> successor.assignment().contains(partition(0)));
        await().atMost(BOUND).until(() -> events.contains("KafkaException"));
        assertThat(events).noneMatch(event -> event.startsWith("broken"));
    }

    @Test
    void aReplacementThatCannotBeMadeIsTriedAgainWhileTheOldOneReadsOn() {
        readFromZero();
        refusal.set(new KafkaException("files half replaced"));

        consumer.renew();

        await().atMost(BOUND).until(() -> events.contains("KafkaException"));
        bed.deliverProbe(0);
        assertThat(kafka.closed()).isFalse();

        refusal.set(null);
        bed.skippedNanos.addAndGet(Duration.ofMinutes(1).toNanos());

        await().atMost(BOUND).until(() -> successor.assignment().contains(partition(0)));
        assertThat(successor.position(partition(0))).isEqualTo(1);
    }

    @Test
    void theTimeAwayFromPollIsTheTimeTheConsumerHadNotCaughtUp() {
        readFromZero();
        long[] stall = new long[2];
        // Between two polls this consumer is slow: its listener, called there, holds it up.
        bed.told.whenIgnored.set(() -> {
            stall[0] = System.nanoTime();
            await().pollInterval(Duration.ofMillis(1)).until(() -> System.nanoTime() - stall[0] > 50_000_000);
            stall[1] = System.nanoTime();
        });
        bed.deliver(new byte[] {1, 2, 3}, 0);
        await().atMost(BOUND).until(() -> stall[1] != 0);
        bed.deliverProbe(1);

        assertThat(bed.polls.catchUpNanos(0, stall[0], stall[1]))
                .as("away from poll() all the while")
                .isEqualTo(stall[1] - stall[0]);
    }

    private MockConsumer<byte[], byte[]> client() {
        RuntimeException refused = refusal.get();
        if (refused != null) {
            throw refused;
        }
        return clients.next();
    }

    private void readFromZero() {
        kafka.updateBeginningOffsets(Map.of(partition(0), 0L));
        consumer.read(Map.of(0, 0L));
        await().atMost(BOUND).until(() -> consumer.reading().contains(0));
    }
}
