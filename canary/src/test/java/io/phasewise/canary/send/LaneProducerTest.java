/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.estimate.PhaseEstimator;
import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ProbeContent;
import io.phasewise.canary.probe.ledger.Delivery;
import io.phasewise.canary.probe.ledger.LeaderCounts;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Ledgers;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.probe.ledger.RecordedLatencies;
import io.phasewise.canary.probe.ledger.SendResult;
import io.phasewise.canary.supervise.Supervisor;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.DispatchTimingProducer.AttemptListener;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.clients.producer.DispatchTimingProducer.KnownLeader;
import org.apache.kafka.clients.producer.DispatchTimingProducer.TimedCallback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LaneProducerTest {
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final long MS = 1_000_000;
    private static final Node BROKER_1 = new Node(1, "h", 1);
    private static final Node BROKER_2 = new Node(2, "h", 2);
    private static final Node BROKER_3 = new Node(3, "h", 3);
    private static final Set<Integer> PARTITIONS = Set.of(0, 1);

    private final AtomicLong clock = new AtomicLong(100 * MS);
    private final RecordedLatencies latencies = new RecordedLatencies();
    private final List<Long> acknowledged = latencies.producer;
    private final List<PhaseBreakdown> phases = latencies.phases;
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final List<Long> waits = new CopyOnWriteArrayList<>();
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();

    /** How many lanes but the first cannot be opened, by a fault that is not Kafka's. */
    private final AtomicInteger faultyOpenings = new AtomicInteger();

    private final PollLog polls = new PollLog(Long.MAX_VALUE, 100);
    private final PhaseEstimator estimator =
            new PhaseEstimator(
                    Acks.ALL, Attribution.CRITICAL_PATH, polls, new BrokerClocks(), null);
    private final Ledger ledger = Ledgers.of(latencies, estimator);
    private final Map<Integer, Fake> lanes = new ConcurrentHashMap<>();
    private volatile Map<Integer, KnownLeader> leaders =
            Map.of(0, new KnownLeader(BROKER_1, 1), 1, new KnownLeader(BROKER_2, 1));
    private volatile KafkaException refusal;
    private volatile RuntimeException leadersFault;
    private LaneProducer producer;

    /** A lane without a network. */
    private final class Fake extends FakeClient {
        final Deque<Sent> sent = new ArrayDeque<>();
        final AttemptListener attempts;
        final int serial;
        volatile KafkaException broken;
        volatile RuntimeException failsAtOnce;

        /** What it alone knows; null where it knows what all know. */
        volatile Map<Integer, KnownLeader> knowledge;

        Fake(int serial, AttemptListener attempts) {
            this.serial = serial;
            this.attempts = attempts;
        }

        @Override
        public synchronized void send(
                int partition, byte[] key, byte[] value, TimedCallback callback) {
            if (broken != null) {
                throw broken;
            }
            if (failsAtOnce != null) {
                callback.onCompletion(null, (Exception) failsAtOnce, null);
                return;
            }
            sent.add(new Sent(partition, value.clone(), callback, clock.get()));
        }

        @Override
        public Map<Integer, KnownLeader> leaders() {
            if (refusal != null) {
                throw refusal;
            }
            if (leadersFault != null) {
                throw leadersFault;
            }
            return knowledge == null ? leaders : knowledge;
        }

        /** The broker answers the oldest request to a partition. */
        void answer(int partition, Exception failure) {
            Sent next;
            synchronized (this) {
                next = sent.stream().filter(s -> s.partition() == partition).findFirst().get();
                sent.remove(next);
            }
            Dispatch dispatch =
                    new Dispatch(
                            leaders.get(partition).node().id(), 0, 0, next.at(), clock.get(), true);
            next.callback()
                    .onCompletion(
                            new RecordMetadata(
                                    new TopicPartition("t", partition),
                                    0,
                                    0,
                                    clock.get() / MS,
                                    0,
                                    0),
                            failure,
                            dispatch);
        }
    }

    private record Sent(int partition, byte[] value, TimedCallback callback, long at) {}

    LaneProducerTest() {
        ledger.lead(0, 1);
        ledger.lead(1, 2);
    }

    @AfterEach
    void close() {
        if (producer != null) {
            producer.close(Duration.ZERO);
        }
    }

    @Test
    void aProbeGoesToItsPartitionWithItsIdentityAndItsLatencyEndsWithTheAnswer() {
        open(1);
        ledger.scheduled(0, clock.get());
        producer.send(ledger.scheduled(0, clock.get()));

        Sent sent = lanes.get(0).sent.peek();
        assertThat(sent.partition()).isZero();
        assertThat(new ProbeCodec(5, 0, ProbeContent.plain(100)).recognise(sent.value(), 0))
                .isEqualTo(ProbeCodec.Kind.OWN);
        assertThat(ProbeCodec.sequence(sent.value())).isEqualTo(1);
        clock.addAndGet(250);
        lanes.get(0).answer(0, null);
        assertThat(acknowledged).containsExactly(250L);
        assertThat(counts(0).inFlight()).as("only the consumer ends a probe").isEqualTo(2);
    }

    @Test
    void aBusyLaneIsFreeForOtherBrokersAndHoldsUpItsOwn() {
        open(1);
        producer.send(ledger.scheduled(0, clock.get()));
        producer.send(ledger.scheduled(0, clock.get()));
        producer.send(ledger.scheduled(1, clock.get()));
        assertThat(lanes.get(0).sent).extracting(Sent::partition).containsExactly(0, 1);

        clock.addAndGet(7 * MS);
        lanes.get(0).answer(0, null);

        assertThat(lanes.get(0).sent).extracting(Sent::partition).containsExactly(1, 0);
        assertThat(waits).containsExactly(0L, 0L, 7 * MS);
    }

    @Test
    void theWaitForALaneIsChargedToWhatTheProbeInFrontDidMeanwhile() {
        open(1);
        long t0 = clock.get();
        Probe front = ledger.scheduled(0, t0);
        Probe behind = ledger.scheduled(0, t0);
        // Teaches the estimator that records carry LogAppendTime.
        deliver(ledger.scheduled(1, t0), t0);
        producer.send(front);
        producer.send(behind);
        clock.addAndGet(100 * MS);
        lanes.get(0).answer(0, null);
        clock.addAndGet(2 * MS);
        lanes.get(0).answer(0, null);

        deliver(behind, clock.get());

        PhaseBreakdown last = phases.get(phases.size() - 1);
        assertThat(last.total()).isEqualTo(102 * MS);
        assertThat(last.produce())
                .as("by position it would be 100 ms; the front was published and committed then")
                .isLessThan(1 * MS);
    }

    @Test
    void opensMoreLanesAheadOfNeedUpToTheLimit() {
        open(3);
        for (int i = 0; i < 3; i++) {
            producer.send(ledger.scheduled(0, clock.get()));
            int ready = i + 2;
            await().atMost(BOUND)
                    .until(() -> producer.lanes().orElseThrow().ready() >= Math.min(3, ready));
        }
        producer.send(ledger.scheduled(0, clock.get()));

        assertThat(lanes.values())
                .as("the fourth waits")
                .allMatch(lane -> lane.sent.size() == 1)
                .hasSize(3);
    }

    @Test
    void theThreadThatOpensLanesIsThereWhileItIsNeeded() {
        open(2);
        await().atMost(BOUND).until(() -> openingThreads() == 0);

        producer.send(ledger.scheduled(0, clock.get()));

        await().atMost(BOUND).until(() -> producer.lanes().orElseThrow().ready() == 2);
    }

    @Test
    void aLaneWhoseOpeningMetAFaultIsOpenedAgainAndTheFaultIsCounted() {
        faultyOpenings.set(1);
        open(2);
        producer.send(ledger.scheduled(0, clock.get()));

        await().atMost(BOUND).until(() -> producer.lanes().orElseThrow().ready() == 2);

        assertThat(producer.lanes().orElseThrow().warming()).isZero();
        assertThat(faults).hasSize(1).first().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aLaneThatMeetsAFaultWhileItIsConnectedIsMadeAnew() {
        open(2);
        leadersFault = new IllegalStateException("a fault");
        producer.send(ledger.scheduled(0, clock.get()));
        await().atMost(BOUND).until(() -> !faults.isEmpty());

        leadersFault = null;

        await().atMost(BOUND).until(() -> producer.lanes().orElseThrow().ready() == 2);
        assertThat(lanes.get(1).closed).isFalse();
    }

    private static long openingThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("lanes"))
                .count();
    }

    @Test
    void aRenewalReplacesEachLaneAndNoProbeFails() {
        open(2);
        producer.send(ledger.scheduled(0, clock.get()));
        await().atMost(BOUND).until(() -> producer.lanes().orElseThrow().ready() == 2);
        List<Fake> before = List.copyOf(lanes.values());
        Fake busy = before.stream().filter(lane -> !lane.sent.isEmpty()).findFirst().get();

        producer.renew();
        await().atMost(BOUND)
                .until(
                        () -> {
                            producer.tick(PARTITIONS);
                            return before.stream().allMatch(lane -> lane.closed || lane == busy)
                                    && !before.containsAll(lanes.values())
                                    && producer.lanes().orElseThrow().ready() > 0;
                        });

        assertThat(busy.closed).as("a request is under way on it").isFalse();
        busy.answer(0, null);
        await().atMost(BOUND)
                .until(
                        () -> {
                            producer.tick(PARTITIONS);
                            return before.stream().allMatch(lane -> lane.closed)
                                    && producer.lanes().orElseThrow().ready() > 0;
                        });
        producer.send(ledger.scheduled(0, clock.get()));
        assertThat(lanes.values()).anyMatch(lane -> lane.sent.size() == 1);
        assertThat(acknowledged).hasSize(1);
        assertThat(failures).isEmpty();
    }

    @Test
    void aRefusedProbeHasFailedAndTheLaneGoesOn() {
        open(1);
        producer.send(ledger.scheduled(0, clock.get()));
        lanes.get(0).answer(0, new NotEnoughReplicasException("too few"));
        producer.send(ledger.scheduled(0, clock.get()));

        assertThat(counts(0).outcomes().sendFailed()).isEqualTo(1);
        assertThat(failures).containsExactly("1 NotEnoughReplicasException");
        assertThat(lanes.get(0).sent).hasSize(1);
    }

    @Test
    void aLaneThatKafkaPutOutOfServiceIsReplaced() {
        open(1);
        Fake first = lanes.get(0);
        first.broken = new KafkaException("a fatal error of idempotence");

        producer.send(ledger.scheduled(0, clock.get()));
        producer.tick(PARTITIONS);

        assertThat(counts(0).outcomes().sendFailed()).isEqualTo(1);
        await().atMost(BOUND).until(() -> first.closed && lanes.get(0) != first);
        await().atMost(BOUND).until(() -> producer.lanes().orElseThrow().ready() == 1);
        producer.send(ledger.scheduled(0, clock.get()));
        assertThat(lanes.get(0).sent).hasSize(1);
    }

    @Test
    void aThousandThatFailAtOnceOneAfterTheOtherAreNoDeepRecursion() {
        open(1);
        for (int i = 0; i < 5_000; i++) {
            producer.send(ledger.scheduled(0, clock.get()));
        }
        lanes.get(0).failsAtOnce = new TimeoutException("no buffer");

        lanes.get(0).answer(0, null);

        assertThat(counts(0).outcomes().sendFailed()).isEqualTo(4_999);
    }

    @Test
    void whatHasWaitedForTheLossHorizonIsGivenUpAndTheOthersAreSent() {
        open(1);
        producer.send(ledger.scheduled(0, clock.get()));
        producer.send(ledger.scheduled(0, clock.get()));
        clock.addAndGet(60_001 * MS);
        producer.send(ledger.scheduled(0, clock.get()));

        producer.tick(PARTITIONS);

        assertThat(failures).containsExactly("1 TimeoutException");
        lanes.get(0).answer(0, null);
        assertThat(lanes.get(0).sent).hasSize(1);
    }

    @Test
    void aLaneThatHangsOnAFormerLeaderIsReplacedAndItsProbeMayStillArrive() {
        open(1);
        producer.tick(PARTITIONS);
        producer.send(ledger.scheduled(0, clock.get()));
        Fake first = lanes.get(0);
        leaders = Map.of(0, new KnownLeader(BROKER_2, 2), 1, new KnownLeader(BROKER_2, 1));
        clock.addAndGet(MS);
        assertThat(producer.tick(PARTITIONS)).containsEntry(0, 2);
        clock.addAndGet(1_500 * MS);
        producer.tick(PARTITIONS);
        producer.tick(PARTITIONS);

        await().atMost(BOUND).until(() -> lanes.get(0) != first);
        assertThat(first.closed).as("while its probe is under way").isFalse();
        clock.addAndGet(MS);
        first.answer(0, null);
        await().atMost(BOUND).until(() -> first.closed);
        assertThat(acknowledged).hasSize(1);
    }

    @Test
    void aNewPartitionIsAskedForAndToldOfOnceEveryLaneHasHeardOfIt() {
        open(2);
        producer.send(ledger.scheduled(0, clock.get()));
        await().atMost(BOUND).until(() -> producer.lanes().orElseThrow().ready() == 2);
        assertThat(producer.tick(PARTITIONS)).hasSize(2);
        Fake first = lanes.get(0);
        Fake second = lanes.get(1);
        int before = first.refreshes;
        assertThat(producer.tick(PARTITIONS)).hasSize(2);
        assertThat(first.refreshes).as("nothing is wanting").isEqualTo(before);

        assertThat(producer.tick(Set.of(0, 1, 2))).doesNotContainKey(2);
        assertThat(first.refreshes).isGreaterThan(before);
        second.knowledge = leaders;
        Map<Integer, KnownLeader> grown = new HashMap<>(leaders);
        grown.put(2, new KnownLeader(BROKER_3, 0));
        leaders = grown;
        int behind = second.refreshes;
        assertThat(producer.tick(Set.of(0, 1, 2)))
                .as("the second lane would refuse its probes")
                .doesNotContainKey(2);
        assertThat(second.refreshes).isGreaterThan(behind);
        second.knowledge = null;
        assertThat(producer.tick(Set.of(0, 1, 2))).containsEntry(2, 3);
        assertThat(List.of(first, second))
                .as("no probe pays for the connection")
                .allMatch(lane -> lane.connected.contains(BROKER_3));

        second.knowledge = Map.of();
        assertThat(producer.tick(Set.of(0, 1, 2)))
                .as("who leads it may be unknown for a while, it is no new one")
                .containsEntry(2, 3);
    }

    @Test
    void saysWhyTheClusterRefusesToTellWhoLeads() {
        refusal = new TopicAuthorizationException("no");
        producer = make(1);

        await().atMost(BOUND)
                .untilAsserted(
                        () ->
                                assertThatThrownBy(() -> producer.tick(PARTITIONS))
                                        .isInstanceOf(TopicAuthorizationException.class));
        refusal = null;
        await().atMost(BOUND).until(() -> producer.lanes().orElseThrow().ready() == 1);
        assertThat(producer.tick(PARTITIONS)).hasSize(2);
    }

    @Test
    void whatWaitsBehindAFailedAttemptWaitsForTheLeaderAndNotForTheClient() {
        open(1);
        long t0 = clock.get();
        producer.send(ledger.scheduled(0, t0));
        Fake lane = lanes.get(0);
        lane.attempts.attemptFailed(
                "t",
                0,
                null,
                ByteBuffer.wrap(lane.sent.peek().value()),
                new Dispatch(1, 0, 0, t0, t0 + 2 * MS, false));
        clock.addAndGet(30 * MS);
        lane.sent.add(resent(lane.sent.remove()));
        Probe waiting = ledger.scheduled(0, t0 + MS);
        producer.send(waiting);
        clock.addAndGet(5 * MS);
        lane.answer(0, null);
        lane.answer(0, null);
        clock.addAndGet(MS);
        polls.entered(clock.get());
        polls.left(clock.get(), new int[] {0}, 1);
        ledger.delivered(
                0, waiting.sequence(), new Delivery(clock.get(), Delivery.NO_APPEND_TIME, 1));

        assertThat(phases.get(0).publish()).as("the front's attempts").isEqualTo(29 * MS);
        assertThat(phases.get(0).produce()).isZero();
        assertThat(phases.get(0).total()).isEqualTo(35 * MS);
    }

    /** The same record, in a request that leaves now. */
    private Sent resent(Sent sent) {
        return new Sent(sent.partition(), sent.value(), sent.callback(), clock.get());
    }

    private void deliver(Probe probe, long at) {
        polls.entered(at);
        polls.left(at, new int[] {probe.partition()}, 1);
        ledger.delivered(probe.partition(), probe.sequence(), new Delivery(at, at / MS, 0));
        if (probe.partition() == 1) {
            ledger.settled(
                    probe,
                    new SendResult(List.of(at), at, 2, List.of(), at, 0, SendResult.NO_OFFSET));
        }
    }

    private void open(int limit) {
        producer = make(limit);
        await().atMost(BOUND).until(() -> producer.lanes().orElseThrow().ready() == 1);
    }

    private LaneProducer make(int limit) {
        return new LaneProducer(
                "lanes",
                (lane, serial, attempts) -> {
                    Fake fake = new Fake(serial, attempts);
                    if (serial > 0 && faultyOpenings.getAndDecrement() > 0) {
                        throw new IllegalStateException("a fault");
                    }
                    lanes.put(lane, fake);
                    return fake;
                },
                new LaneSettings(1, limit, 1, 60_000 * MS, 1),
                () -> new ProbeCodec(5, 0, ProbeContent.plain(100)),
                Duration.ofSeconds(60),
                new SendContext(
                        new Supervisor(System::nanoTime),
                        ledger,
                        estimator,
                        new ProbeProducer.Listener() {
                            @Override
                            public void failed(Probe probe, Exception reason) {
                                failures.add(
                                        probe.leader() + " " + reason.getClass().getSimpleName());
                            }

                            @Override
                            public void granted(long nanos) {
                                waits.add(nanos);
                            }

                            @Override
                            public void faulted(Throwable fault) {
                                faults.add(fault);
                            }
                        },
                        clock::get));
    }

    private LeaderCounts counts(int index) {
        return ledger.counts().get(index);
    }
}
