/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static io.phasewise.canary.send.FakeClient.led;
import static io.phasewise.canary.send.FakeClient.untold;
import static io.phasewise.canary.send.SendTestBed.MS;
import static io.phasewise.canary.send.SendTestBed.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ProbeContent;
import io.phasewise.canary.probe.ledger.Conservation;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.send.FakeClient.Sent;
import io.phasewise.common.phase.Phase;
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
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.clients.producer.DispatchTimingProducer.AttemptListener;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipelinedProducerTest {
    private static final int WINDOW = 3;

    private Run run;

    @AfterEach
    void close() {
        if (run != null) {
            run.producer.close(Duration.ZERO);
        }
    }

    private record Request(FakeClient client, List<Sent> batch, long sequence, int outstanding, long at) {}

    /** A producer and its connection to broker 1: requests leave and are answered when told to. */
    private static final class Run {
        final SendTestBed bed;
        final List<FakeClient> clients = new CopyOnWriteArrayList<>();
        final Deque<Request> inFlight = new ArrayDeque<>();
        final AtomicInteger refused = new AtomicInteger();
        final ProbeProducer producer;
        volatile KafkaException refusal;
        private long sequence;

        Run(Attribution attribution, Duration linger) {
            bed = new SendTestBed(attribution, 1, 1);
            ProbeCodec keyed = new ProbeCodec(5, new ProbeContent(100, 0, 3, 4, true));
            producer = new ProbeProducer(
                    "test",
                    this::open,
                    LaneSettings.pipelined(WINDOW, linger),
                    () -> keyed,
                    Duration.ofSeconds(60),
                    bed.context());
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> !producer.tick(Set.of(0)).isEmpty());
        }

        private FakeClient open(int lane, int serial, AttemptListener attempts) {
            if (refusal != null) {
                refused.incrementAndGet();
                throw refusal;
            }
            clients.add(new FakeClient(attempts, bed.clock::get, () -> led(1)));
            return client();
        }

        FakeClient client() {
            return clients.get(clients.size() - 1);
        }

        Probe send(int partition) {
            Probe probe = bed.due(partition);
            producer.send(probe);
            return probe;
        }

        /** One request with up to so many records leaves. */
        void dispatch(FakeClient client, int records) {
            List<Sent> batch = new ArrayList<>();
            while (batch.size() < records && !client.sent.isEmpty()) {
                batch.add(client.sent.remove());
            }
            long now = bed.clock.get();
            inFlight.add(new Request(client, batch, sequence++, inFlight.size(), now));
        }

        void dispatch(int records) {
            dispatch(client(), records);
        }

        void answer() {
            answer(null, false, bed.clock.get());
        }

        /** The oldest request is answered. */
        void answer(Exception failure, boolean retriable, long appended) {
            Request request = inFlight.remove();
            Dispatch dispatch =
                    new Dispatch(1, request.sequence(), request.outstanding(), request.at(), bed.clock.get(), true);
            List<Sent> batch = new ArrayList<>(request.batch());
            AttemptListener attempts = request.client().attempts;
            if (failure != null) {
                for (Sent each : batch) {
                    ByteBuffer value = ByteBuffer.wrap(each.value());
                    attempts.attemptFailed(each.partition(), value, dispatch);
                }
            }
            if (failure != null && retriable) {
                Deque<Sent> again = request.client().sent;
                batch.addAll(again);
                again.clear();
                again.addAll(batch);
            } else {
                batch.forEach(each -> each.complete(dispatch, appended / MS, failure));
            }
            attempts.completed(dispatch);
        }

        void deliver(int partition, long sequence) {
            bed.deliver(partition, sequence, bed.clock.get() / MS);
        }
    }

    private void begin() {
        begin(Attribution.CRITICAL_PATH, Duration.ZERO);
    }

    private void begin(Attribution attribution, Duration linger) {
        run = new Run(attribution, linger);
    }

    @Test
    void aProbeCarriesItsIdentityAndItsKey() {
        begin();
        for (int i = 0; i < 5; i++) {
            run.send(0);
        }

        assertThat(ProbeCodec.sequence(run.client().sent.peekLast().value())).isEqualTo(4);
        assertThat(run.client().sent)
                .extracting(sent -> new String(sent.key()))
                .containsExactly("0000", "0001", "0002", "0000", "0001");
    }

    @Test
    void severalProbesInOneRequestAreAllAcknowledgedByIt() {
        begin();
        run.send(0);
        run.bed.pass(MS);
        run.send(0);
        run.dispatch(2);
        run.bed.pass(MS);
        run.answer();

        assertThat(run.bed.latencies.producer).containsExactly(2 * MS, MS);
    }

    /** It lingers for 20 ms, then lies unread for 20 ms behind a request that commits. */
    @ParameterizedTest
    @CsvSource({"CRITICAL_PATH, COMMIT", "POSITION, PUBLISH"})
    void lingerIsProduceAndTheWaitForAStalledRequestGoesByAttribution(Attribution attribution, Phase waiting) {
        begin(attribution, Duration.ofMillis(20));
        // A quick one teaches the broker's clock.
        run.send(0);
        run.dispatch(1);
        run.answer();
        run.deliver(0, 0);
        run.bed.pass(MS);

        run.send(0);
        run.bed.pass(20 * MS);
        run.dispatch(1);
        long appended = run.bed.clock.get();
        run.bed.pass(MS);
        run.send(0);
        run.bed.pass(20 * MS);
        run.dispatch(1);
        run.bed.pass(20 * MS);
        run.answer(null, false, appended);
        run.deliver(0, 1);
        run.answer();
        run.deliver(0, 2);

        PhaseBreakdown phases = run.bed.latencies.phases.get(2);
        assertThat(phases.produce()).isEqualTo(20 * MS);
        assertThat(phases.of(waiting)).isGreaterThan(18 * MS);
    }

    @Test
    void aRenewalIsTriedAgainUntilItSucceedsAndTheOldOneGoesOnUntilItsProbesHaveEnded() {
        begin();
        FakeClient first = run.client();
        run.send(0);
        run.refusal = new KafkaException("files half replaced");
        run.producer.renew();
        run.producer.tick(Set.of(0));
        awaitThat(() -> run.refused.get() > 0);
        run.refusal = null;
        awaitThat(() -> {
            run.send(0);
            return run.clients.size() == 2 && !run.client().sent.isEmpty();
        });

        assertThat(first.closed).as("probes are under way on it").isFalse();
        int before = first.sent.size();
        run.dispatch(first, before);
        run.answer();
        assertThat(run.bed.latencies.producer).hasSize(before);
        assertThat(run.bed.failures).isEmpty();
        awaitThat(() -> first.closed);
    }

    @Test
    void aFaultInOneProbeOfARequestLeavesNoOtherUndecided() {
        begin();
        run.send(0);
        run.send(0);
        run.bed.listenerFault = new IllegalStateException("a fault");
        run.dispatch(2);

        assertThatThrownBy(() -> run.answer(new NotEnoughReplicasException(), false, 0))
                .isSameAs(run.bed.listenerFault);

        assertThat(run.bed.counts().outcomes().sendFailed()).isEqualTo(2);
    }

    @Test
    void probesWaitWhileThereIsNoProducerAndTheReasonIsSaid() {
        begin();
        run.refusal = new KafkaException("no such file");
        run.client().broken = new KafkaException("fenced");
        run.send(0);
        await().untilAsserted(() ->
                assertThatThrownBy(() -> run.producer.tick(Set.of(0))).hasMessage("no such file"));
        run.send(0);
        run.refusal = null;

        awaitThat(() -> run.clients.size() == 2 && !run.client().sent.isEmpty());
        assertThat(run.bed.counts().outcomes().sendFailed()).isEqualTo(1);
        assertThat(Conservation.holds(run.bed.counts())).isTrue();
    }

    @Test
    void tellsWhoLeadsAndWhyItIsNotTold() {
        begin();
        assertThat(run.producer.tick(Set.of(0))).containsOnly(Map.entry(0, 1));
        assertThat(run.client().refreshes).isZero();
        assertThat(run.producer.tick(Set.of(0, 1))).containsOnlyKeys(0);
        assertThat(run.client().refreshes).as("1 may be new").isOne();
        run.client().leaders = untold(new TimeoutException("not yet"));
        assertThat(run.producer.tick(Set.of(0))).isEmpty();
        run.client().leaders = untold(new TopicAuthorizationException("no"));
        assertThatThrownBy(() -> run.producer.tick(Set.of(0))).isInstanceOf(TopicAuthorizationException.class);
    }

    @Property(tries = 200)
    void whateverHappensProbesAreConservedAndAttributionOnlyMovesWhatCameBeforeTheAppend(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 200) int steps) {
        SendTestBed critical = play(seed, steps, Attribution.CRITICAL_PATH);
        SendTestBed position = play(seed, steps, Attribution.POSITION);

        assertThat(critical.latencies.endToEnd).isEqualTo(position.latencies.endToEnd);
        assertThat(critical.latencies.phases).hasSameSizeAs(position.latencies.phases);
        for (int i = 0; i < critical.latencies.phases.size(); i++) {
            PhaseBreakdown onPath = critical.latencies.phases.get(i);
            PhaseBreakdown there = position.latencies.phases.get(i);
            assertThat(onPath.total()).isEqualTo(there.total());
            assertThat(onPath.commit()).isGreaterThanOrEqualTo(there.commit());
            assertThat(onPath.catchUp()).isEqualTo(there.catchUp());
            assertThat(onPath.fetch()).isGreaterThanOrEqualTo(there.fetch());
        }
    }

    private static SendTestBed play(long seed, int steps, Attribution attribution) {
        Run run = new Run(attribution, Duration.ofMillis(seed % 2 == 0 ? 0 : 5));
        SendTestBed bed = run.bed;
        Random random = new Random(seed);
        for (int i = 0; i < steps; i++) {
            bed.pass(random.nextInt(3_000_000));
            boolean buffered = !run.client().sent.isEmpty();
            boolean underWay = !run.inFlight.isEmpty();
            int kind = random.nextInt(12);
            if (kind < 4) {
                run.send(random.nextInt(2));
            } else if (kind < 7 && buffered && run.inFlight.size() < WINDOW) {
                run.dispatch(1 + random.nextInt(4));
            } else if (kind < 9 && underWay) {
                run.answer();
            } else if (kind == 9 && underWay) {
                Exception failure = new NotEnoughReplicasException("few");
                run.answer(failure, random.nextBoolean(), bed.clock.get());
            } else if (kind == 10 && buffered && random.nextInt(4) == 0) {
                run.client().sent.remove().fail(new TimeoutException("late"));
            } else if (kind == 11) {
                run.deliver(random.nextInt(2), random.nextInt(1 + steps / 4));
            }
            assertThat(Conservation.holds(bed.counts())).isTrue();
        }
        while (!run.inFlight.isEmpty()) {
            run.answer();
        }
        bed.ledger.sweep(bed.clock.get() + 10_000 * MS);
        assertThat(bed.latencies.phases).hasSameSizeAs(bed.latencies.endToEnd);
        assertThat(bed.latencies.phases.stream()
                        .mapToLong(PhaseBreakdown::total)
                        .sum())
                .isEqualTo(bed.latencies.endToEnd.stream()
                        .mapToLong(Long::longValue)
                        .sum());
        run.producer.close(Duration.ZERO);
        return bed;
    }
}
