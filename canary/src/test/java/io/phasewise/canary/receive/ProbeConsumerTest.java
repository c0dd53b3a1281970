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
import io.phasewise.canary.probe.ledger.PositionalBreakdowns;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.probe.ledger.RecordedLatencies;
import io.phasewise.canary.supervise.Supervisor;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProbeConsumerTest {
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final TopicPartition PARTITION = new TopicPartition("probes", 0);

    private final RecordedLatencies latencies = new RecordedLatencies();
    private final List<Long> endToEnd = latencies.endToEnd;
    private final ProbeCodec codec = new ProbeCodec(5, 0, ProbeContent.plain(64));
    private final Ledger ledger = Ledgers.of(latencies, PositionalBreakdowns.INSTANCE);
    private final AtomicReference<Runnable> whenIgnored = new AtomicReference<>(() -> {});
    private final RecordedEvents told =
            new RecordedEvents() {
                @Override
                public void ignored(ProbeCodec.Kind kind) {
                    super.ignored(kind);
                    whenIgnored.getAndSet(() -> {}).run();
                }
            };
    private final List<String> events = told.events;
    private final PollLog polls = new PollLog(60_000_000_000L, 20_000);
    private final AtomicReference<RuntimeException> closing = new AtomicReference<>();
    private final MockConsumer<byte[], byte[]> kafka =
            new MockConsumer<>("latest") {
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

    /** Later than the clock of the machine, by what the tests have it skip. */
    private final AtomicLong skippedNanos = new AtomicLong();

    private final ProbeConsumer consumer =
            new ProbeConsumer(
                    new Supervisor(System::nanoTime),
                    new ProbeConsumer.Settings("test", "probes", Optional.empty(), false),
                    this::client,
                    codec,
                    ledger,
                    told,
                    polls,
                    () -> System.nanoTime() + skippedNanos.get());

    @BeforeEach
    void start() {
        ledger.lead(0, 1);
        consumer.start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        consumer.stop(BOUND);
        assertThat(kafka.closed()).isTrue();
    }

    @Test
    void startsWhereItIsToldAndSaysSo() {
        consumer.read(Map.of(0, 17L, 1, 4L));

        await().atMost(BOUND).until(() -> consumer.reading().equals(java.util.Set.of(0, 1)));
        assertThat(positionOf(0)).isEqualTo(17);
        assertThat(positionOf(1)).isEqualTo(4);
    }

    @Test
    void partitionsReadAlreadyKeepTheirPosition() {
        readFromZero();
        deliverOneProbe();

        consumer.read(Map.of(0, 0L, 1, 9L));

        await().atMost(BOUND).until(() -> consumer.reading().contains(1));
        assertThat(positionOf(0)).isEqualTo(1);
        assertThat(positionOf(1)).isEqualTo(9);
    }

    @Test
    void aNewConsumerGoesOnWhereItsPredecessorStood() {
        readFromZero();
        deliverOneProbe();

        consumer.renew();

        await().atMost(BOUND).until(kafka::closed);
        await().atMost(BOUND).until(() -> successor.assignment().contains(PARTITION));
        assertThat(successor.position(PARTITION)).isEqualTo(1);
    }

    @Test
    void handsAProbeToTheLedgerWithTheInstantPollReturnedIt() {
        readFromZero();
        long due = System.nanoTime();
        Probe probe = ledger.scheduled(0, due);

        deliver(codec.encode(0, probe.sequence(), due).clone(), 0);

        await().atMost(BOUND).until(() -> endToEnd.size() == 1);
        assertThat(endToEnd.get(0)).isBetween(0L, System.nanoTime() - due);
    }

    @Test
    void recordsThatAreNotItsProbesAreCountedByKind() {
        readFromZero();

        deliver(codec.encode(0, ProbeCodec.NO_PROBE, 0).clone(), 0);
        deliver(new byte[] {1, 2, 3}, 1);
        deliver(new ProbeCodec(6, 0, ProbeContent.plain(64)).encode(0, 0, 0).clone(), 2);
        deliver(codec.encode(0, 12_345, 0).clone(), 3);

        await().atMost(BOUND).until(() -> events.size() == 3);
        assertThat(events).containsExactly("FOREIGN", "OTHER_CANARY", "FOREIGN");
        assertThat(ledger.counts().get(0).outcomes().delivered()).isZero();
    }

    @Test
    void goesOnAfterAFailedPoll() {
        readFromZero();
        Probe probe = ledger.scheduled(0, System.nanoTime());

        kafka.setPollException(new TopicAuthorizationException("denied"));
        await().atMost(BOUND).until(() -> events.contains("TopicAuthorizationException"));
        deliver(codec.encode(0, probe.sequence(), 0).clone(), 0);

        await().atMost(BOUND).until(() -> endToEnd.size() == 1);
    }

    @Test
    void aFaultThatNobodyExpectedIsCountedAndReadingGoesOnWithANewConsumer() {
        readFromZero();
        deliverOneProbe();

        kafka.schedulePollTask(
                () -> {
                    throw new IllegalStateException("a fault");
                });

        await().atMost(BOUND).until(() -> successor.assignment().contains(PARTITION));
        assertThat(events).containsOnlyOnce("broken: a fault");
        assertThat(successor.position(PARTITION)).isEqualTo(1);
        await().atMost(BOUND).until(kafka::closed);
    }

    @Test
    void aConsumerThatCannotBeClosedIsReplacedAllTheSame() {
        readFromZero();
        closing.set(new KafkaException("cannot be closed"));

        consumer.renew();

        await().atMost(BOUND).until(() -> successor.assignment().contains(PARTITION));
        await().atMost(BOUND).until(() -> events.contains("KafkaException"));
        assertThat(events).noneMatch(event -> event.startsWith("broken"));
    }

    @Test
    void aReplacementThatCannotBeMadeIsTriedAgainWhileTheOldOneReadsOn() {
        readFromZero();
        refusal.set(new KafkaException("files half replaced"));

        consumer.renew();

        await().atMost(BOUND).until(() -> events.contains("KafkaException"));
        deliverOneProbe();
        assertThat(kafka.closed()).isFalse();

        refusal.set(null);
        skippedNanos.addAndGet(Duration.ofMinutes(1).toNanos());

        await().atMost(BOUND).until(() -> successor.assignment().contains(PARTITION));
        assertThat(successor.position(PARTITION)).isEqualTo(1);
    }

    @Test
    void theTimeAwayFromPollIsTheTimeTheConsumerHadNotCaughtUp() {
        readFromZero();
        Probe probe = ledger.scheduled(0, System.nanoTime());
        long[] stall = new long[2];
        // Between two polls this consumer is slow: its listener, called there, holds it up.
        whenIgnored.set(
                () -> {
                    stall[0] = System.nanoTime();
                    await().pollInterval(Duration.ofMillis(1))
                            .until(() -> System.nanoTime() - stall[0] > 50_000_000);
                    stall[1] = System.nanoTime();
                });
        deliver(new byte[] {1, 2, 3}, 0);
        await().atMost(BOUND).until(() -> stall[1] != 0);
        deliver(codec.encode(0, probe.sequence(), 0).clone(), 1);
        await().atMost(BOUND).until(() -> endToEnd.size() == 1);

        assertThat(polls.catchUpNanos(0, stall[0], stall[1]))
                .as("away from poll() all the while")
                .isEqualTo(stall[1] - stall[0]);
        assertThat(polls.catchUpNanos(0, stall[0], probe.dueNanos() + endToEnd.get(0)))
                .as("and that is part of what the probe waited")
                .isGreaterThanOrEqualTo(stall[1] - stall[0]);
    }

    private MockConsumer<byte[], byte[]> client() {
        RuntimeException refused = refusal.get();
        if (refused != null) {
            throw refused;
        }
        return clients.next();
    }

    private void readFromZero() {
        kafka.updateBeginningOffsets(Map.of(new TopicPartition("probes", 0), 0L));
        consumer.read(Map.of(0, 0L));
        await().atMost(BOUND).until(() -> consumer.reading().contains(0));
    }

    private void deliverOneProbe() {
        deliver(codec.encode(0, ledger.scheduled(0, System.nanoTime()).sequence(), 0).clone(), 0);
        await().atMost(BOUND).until(() -> endToEnd.size() == 1);
    }

    private void deliver(byte[] value, long offset) {
        kafka.schedulePollTask(
                () -> kafka.addRecord(new ConsumerRecord<>("probes", 0, offset, null, value)));
    }

    private long positionOf(int partition) {
        long[] position = {-1};
        kafka.schedulePollTask(
                () -> position[0] = kafka.position(new TopicPartition("probes", partition)));
        await().atMost(BOUND).until(() -> position[0] >= 0);
        return position[0];
    }
}
