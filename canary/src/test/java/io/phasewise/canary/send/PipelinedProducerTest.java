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
import io.phasewise.canary.probe.ledger.Conservation;
import io.phasewise.canary.probe.ledger.Delivery;
import io.phasewise.canary.probe.ledger.LeaderCounts;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Ledgers;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.probe.ledger.RecordedLatencies;
import io.phasewise.canary.supervise.Supervisor;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
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

class PipelinedProducerTest {
    private static final long MS = 1_000_000;
    private static final int WINDOW = 3;
    private static final Node BROKER = new Node(1, "h", 1);

    private Run run;

    @AfterEach
    void close() {
        if (run != null) {
            run.producer.close(Duration.ZERO);
        }
    }

    /** A ledger, a producer and a fake of the Kafka producer below it, on one clock. */
    private static final class Run {
        final AtomicLong clock = new AtomicLong(1_000 * MS);
        final RecordedLatencies recorded = new RecordedLatencies();
        final List<PhaseBreakdown> phases = recorded.phases;
        final List<Long> acknowledged = recorded.producer;
        final List<Long> latencies = recorded.endToEnd;
        final List<String> failures = new CopyOnWriteArrayList<>();
        final List<Fake> fakes = new CopyOnWriteArrayList<>();
        final PollLog polls = new PollLog(Long.MAX_VALUE, 10_000);
        final Ledger ledger;
        final PipelinedProducer producer;
        volatile KafkaException refusal;
        final AtomicInteger refused = new AtomicInteger();
        RuntimeException listenerFault;

        Run(Attribution attribution, Duration linger) {
            PhaseEstimator estimator =
                    new PhaseEstimator(Acks.ALL, attribution, polls, new BrokerClocks(), null);
            ledger = Ledgers.of(recorded, estimator);
            ledger.lead(0, 1);
            ledger.lead(1, 1);
            producer =
                    new PipelinedProducer(
                            "test",
                            (lane, serial, attempts) -> {
                                if (refusal != null) {
                                    refused.incrementAndGet();
                                    throw refusal;
                                }
                                fakes.add(new Fake(attempts));
                                return fakes.get(fakes.size() - 1);
                            },
                            new PipelinedProducer.Settings(
                                    new ProbeCodec(5, 0, new ProbeContent(100, 0, 3, 4, true)),
                                    WINDOW,
                                    linger),
                            new SendContext(
                                    new Supervisor(System::nanoTime),
                                    ledger,
                                    estimator,
                                    this::failed,
                                    clock::get));
        }

        private void failed(Probe probe, Exception reason) {
            failures.add(reason.getClass().getSimpleName());
            if (listenerFault != null && failures.size() == 1) {
                throw listenerFault;
            }
        }

        Fake fake() {
            return fakes.get(fakes.size() - 1);
        }

        Probe send(int partition) {
            Probe probe = ledger.scheduled(partition, clock.get());
            producer.send(probe);
            return probe;
        }

        void deliver(int partition, long sequence) {
            long now = clock.get();
            polls.entered(now);
            polls.left(now, new int[] {partition}, 1);
            ledger.delivered(partition, sequence, new Delivery(now, now / MS, sequence));
        }

        LeaderCounts counts() {
            return ledger.counts().get(0);
        }

        /** A Kafka producer without a network: requests leave and are answered when told to. */
        private final class Fake extends FakeClient {
            final Deque<Sent> buffered = new ArrayDeque<>();
            final Deque<Request> inFlight = new ArrayDeque<>();
            final AttemptListener attempts;
            volatile KafkaException broken;
            volatile RuntimeException leaders;
            private long sequence;

            Fake(AttemptListener attempts) {
                this.attempts = attempts;
            }

            @Override
            public void send(int partition, byte[] key, byte[] value, TimedCallback callback) {
                if (broken != null) {
                    throw broken;
                }
                buffered.add(new Sent(partition, key.clone(), value.clone(), callback));
            }

            /** One request with up to so many records leaves. */
            void dispatch(int records) {
                List<Sent> batch = new ArrayList<>();
                while (batch.size() < records && !buffered.isEmpty()) {
                    batch.add(buffered.remove());
                }
                inFlight.add(new Request(batch, sequence++, inFlight.size(), clock.get()));
            }

            /** The oldest request is answered. */
            void answer(Exception failure, boolean retriable) {
                answer(failure, retriable, clock.get());
            }

            void answer(Exception failure, boolean retriable, long appended) {
                Request request = inFlight.remove();
                Dispatch dispatch =
                        new Dispatch(
                                1,
                                request.sequence(),
                                request.outstanding(),
                                request.at(),
                                clock.get(),
                                true);
                if (failure != null) {
                    for (Sent each : request.batch()) {
                        attempts.attemptFailed(
                                "t",
                                each.partition(),
                                null,
                                ByteBuffer.wrap(each.value()),
                                dispatch);
                    }
                }
                if (failure != null && retriable) {
                    for (int i = request.batch().size() - 1; i >= 0; i--) {
                        buffered.addFirst(request.batch().get(i));
                    }
                } else {
                    for (Sent each : request.batch()) {
                        each.callback()
                                .onCompletion(
                                        metadata(each.partition(), appended), failure, dispatch);
                    }
                }
                attempts.completed(dispatch);
            }

            /** The oldest record that is still buffered expires. */
            void expire() {
                Sent sent = buffered.remove();
                sent.callback().onCompletion(null, new TimeoutException("late"), null);
            }

            private RecordMetadata metadata(int partition, long appended) {
                return new RecordMetadata(
                        new TopicPartition("t", partition), 0, 0, appended / MS, 0, 0);
            }

            @Override
            public Map<Integer, KnownLeader> leaders() {
                if (leaders != null) {
                    throw leaders;
                }
                return Map.of(0, new KnownLeader(BROKER, 1));
            }
        }
    }

    private record Sent(int partition, byte[] key, byte[] value, TimedCallback callback) {}

    private record Request(List<Sent> batch, long sequence, int outstanding, long at) {}

    private Run begin(Attribution attribution, long lingerMillis) {
        run = new Run(attribution, Duration.ofMillis(lingerMillis));
        return run;
    }

    @Test
    void aProbeCarriesItsIdentityAndItsKey() {
        begin(Attribution.CRITICAL_PATH, 0);
        for (int i = 0; i < 5; i++) {
            run.send(0);
        }

        Sent last = run.fake().buffered.peekLast();
        assertThat(ProbeCodec.sequence(last.value())).isEqualTo(4);
        assertThat(run.fake().buffered)
                .extracting(sent -> new String(sent.key()))
                .containsExactly("0000", "0001", "0002", "0000", "0001");
    }

    @Test
    void severalProbesInOneRequestAreAllAcknowledgedByIt() {
        begin(Attribution.CRITICAL_PATH, 0);
        run.send(0);
        run.clock.addAndGet(MS);
        run.send(0);
        run.fake().dispatch(2);
        run.clock.addAndGet(MS);
        run.fake().answer(null, false);

        assertThat(run.acknowledged).containsExactly(2 * MS, MS);
    }

    @Test
    void lingerIsProduceAndTheWaitForAStalledRequestIsCommit() {
        begin(Attribution.CRITICAL_PATH, 20);
        stalledThenLingering();

        // It lingers for 20 ms, then lies unread for 20 ms behind a request that commits.
        assertThat(run.phases.get(2).produce()).isEqualTo(20 * MS);
        assertThat(run.phases.get(2).commit()).isGreaterThan(18 * MS);
    }

    @Test
    void byPositionTheSameWaitIsPublish() {
        begin(Attribution.POSITION, 20);
        stalledThenLingering();

        assertThat(run.phases.get(2).produce()).isEqualTo(20 * MS);
        assertThat(run.phases.get(2).publish()).isGreaterThan(18 * MS);
    }

    private void stalledThenLingering() {
        // A quick one teaches the broker's clock.
        run.send(0);
        run.fake().dispatch(1);
        run.fake().answer(null, false);
        run.deliver(0, 0);
        run.clock.addAndGet(MS);

        run.send(0);
        run.clock.addAndGet(20 * MS);
        run.fake().dispatch(1);
        long appended = run.clock.get();
        run.clock.addAndGet(MS);
        Probe second = run.send(0);
        run.clock.addAndGet(20 * MS);
        run.fake().dispatch(1);
        run.clock.addAndGet(20 * MS);
        run.fake().answer(null, false, appended);
        run.deliver(0, 1);
        run.fake().answer(null, false);
        run.deliver(0, second.sequence());
    }

    @Test
    void aRenewalHandsOverToAConnectedSuccessor() {
        begin(Attribution.CRITICAL_PATH, 0);
        Run.Fake first = run.fake();
        run.send(0);
        run.producer.renew();
        await().atMost(Duration.ofSeconds(10)).until(() -> first.closed);
        run.send(0);

        assertThat(run.fake()).isNotSameAs(first);
        assertThat(run.fake().buffered).hasSize(1);
        first.dispatch(1);
        first.answer(null, false);
        assertThat(run.acknowledged).as("what was under way before").hasSize(1);
        assertThat(run.failures).isEmpty();
    }

    @Test
    void aRenewalThatFailsIsTriedAgain() {
        begin(Attribution.CRITICAL_PATH, 0);
        Run.Fake first = run.fake();
        run.refusal = new KafkaException("files half replaced");
        run.producer.renew();
        await().atMost(Duration.ofSeconds(10)).until(() -> run.refused.get() > 0);
        assertThat(first.closed).as("the old one goes on").isFalse();

        run.refusal = null;

        await().atMost(Duration.ofSeconds(10)).until(() -> first.closed);
        assertThat(run.fake()).isNotSameAs(first);
    }

    @Test
    void aFaultInOneProbeOfARequestLeavesNoOtherUndecided() {
        begin(Attribution.CRITICAL_PATH, 0);
        run.send(0);
        run.send(0);
        run.listenerFault = new IllegalStateException("a fault");
        run.fake().dispatch(2);

        assertThatThrownBy(() -> run.fake().answer(new NotEnoughReplicasException(), false))
                .isSameAs(run.listenerFault);

        assertThat(run.counts().outcomes().sendFailed()).isEqualTo(2);
    }

    @Test
    void aProducerThatIsOutOfServiceIsReplaced() {
        begin(Attribution.CRITICAL_PATH, 0);
        Run.Fake first = run.fake();
        first.broken = new KafkaException("fenced");
        run.send(0);
        await().atMost(Duration.ofSeconds(10)).until(() -> run.fakes.size() == 2);
        await().atMost(Duration.ofSeconds(10)).until(() -> !run.producer.tick(Set.of(0)).isEmpty());
        run.send(0);

        assertThat(first.closed).isTrue();
        assertThat(run.counts().outcomes().sendFailed()).isEqualTo(1);
        assertThat(run.fake().buffered).hasSize(1);
    }

    @Test
    void probesFailWhileThereIsNoProducerAndTheReasonIsSaid() {
        begin(Attribution.CRITICAL_PATH, 0);
        run.refusal = new KafkaException("no such file");
        run.fake().broken = new KafkaException("fenced");
        run.send(0);
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(
                        () ->
                                assertThatThrownBy(() -> run.producer.tick(Set.of(0)))
                                        .hasMessage("no such file"));
        run.send(0);

        assertThat(run.counts().outcomes().sendFailed()).isEqualTo(2);
        assertThat(Conservation.holds(run.counts())).isTrue();
    }

    @Test
    void tellsWhoLeadsAndWhyItIsNotTold() {
        begin(Attribution.CRITICAL_PATH, 0);
        assertThat(run.producer.tick(Set.of(0))).containsOnly(Map.entry(0, 1));
        assertThat(run.fake().refreshes).isZero();
        assertThat(run.producer.tick(Set.of(0, 1))).containsOnlyKeys(0);
        assertThat(run.fake().refreshes).as("1 may be new").isOne();
        run.fake().leaders = new TimeoutException("not yet");
        assertThat(run.producer.tick(Set.of(0))).isEmpty();
        run.fake().leaders = new TopicAuthorizationException("no");
        assertThatThrownBy(() -> run.producer.tick(Set.of(0)))
                .isInstanceOf(TopicAuthorizationException.class);
    }

    @Property(tries = 200)
    void whateverHappensProbesAreConservedAndAttributionOnlyMovesWhatCameBeforeTheAppend(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 200) int steps) {
        Run critical = play(seed, steps, Attribution.CRITICAL_PATH);
        Run position = play(seed, steps, Attribution.POSITION);

        assertThat(critical.latencies).isEqualTo(position.latencies);
        assertThat(critical.phases).hasSameSizeAs(position.phases);
        for (int i = 0; i < critical.phases.size(); i++) {
            PhaseBreakdown onPath = critical.phases.get(i);
            PhaseBreakdown there = position.phases.get(i);
            assertThat(onPath.total()).isEqualTo(there.total());
            assertThat(onPath.commit()).isGreaterThanOrEqualTo(there.commit());
            assertThat(onPath.catchUp()).isEqualTo(there.catchUp());
            assertThat(onPath.fetch()).isGreaterThanOrEqualTo(there.fetch());
        }
    }

    private static Run play(long seed, int steps, Attribution attribution) {
        Run run = new Run(attribution, Duration.ofMillis(seed % 2 == 0 ? 0 : 5));
        Random random = new Random(seed);
        Run.Fake fake = run.fake();
        for (int i = 0; i < steps; i++) {
            run.clock.addAndGet(random.nextInt(3_000_000));
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3 -> run.send(random.nextInt(2));
                case 4, 5, 6 -> {
                    if (fake.inFlight.size() < WINDOW && !fake.buffered.isEmpty()) {
                        fake.dispatch(1 + random.nextInt(4));
                    }
                }
                case 7, 8 -> {
                    if (!fake.inFlight.isEmpty()) {
                        fake.answer(null, false);
                    }
                }
                case 9 -> {
                    if (!fake.inFlight.isEmpty()) {
                        fake.answer(new NotEnoughReplicasException("few"), random.nextBoolean());
                    }
                }
                case 10 -> {
                    if (!fake.buffered.isEmpty() && random.nextInt(4) == 0) {
                        fake.expire();
                    }
                }
                default -> run.deliver(random.nextInt(2), random.nextInt(1 + steps / 4));
            }
            assertThat(Conservation.holds(run.counts())).isTrue();
        }
        while (!fake.inFlight.isEmpty()) {
            fake.answer(null, false);
        }
        run.ledger.sweep(run.clock.get() + 10_000 * MS);
        assertThat(run.phases).hasSameSizeAs(run.latencies);
        assertThat(run.phases.stream().mapToLong(PhaseBreakdown::total).sum())
                .isEqualTo(run.latencies.stream().mapToLong(Long::longValue).sum());
        run.producer.close(Duration.ZERO);
        return run;
    }
}
