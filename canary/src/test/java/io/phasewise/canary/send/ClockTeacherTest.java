/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.estimate.PhaseEstimator;
import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ProbeContent;
import io.phasewise.canary.supervise.Supervisor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.clients.producer.DispatchTimingProducer.KnownLeader;
import org.apache.kafka.clients.producer.DispatchTimingProducer.TimedCallback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Broker 1 leads partition 0, broker 2 partitions 1 and 2. */
class ClockTeacherTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1_000 * MS;
    private static final Map<Integer, Integer> LEADERS = Map.of(0, 1, 1, 2, 2, 2);

    private final AtomicLong clock = new AtomicLong();
    private final BrokerClocks clocks = new BrokerClocks();
    private final PhaseEstimator estimator =
            new PhaseEstimator(
                    Acks.ALL,
                    Attribution.CRITICAL_PATH,
                    new PollLog(Long.MAX_VALUE, 100),
                    clocks,
                    null);
    private final Set<Integer> told = new HashSet<>();
    private final List<Fake> opened = new CopyOnWriteArrayList<>();
    private final ClockTeacher teacher = teacher(20);

    private record Sent(int partition, byte[] value, TimedCallback callback) {}

    private static final class Fake extends FakeClient {
        final List<Sent> sent = new ArrayList<>();
        boolean broken;

        @Override
        public void send(int partition, byte[] key, byte[] value, TimedCallback callback) {
            if (broken) {
                throw new KafkaException("fenced");
            }
            sent.add(new Sent(partition, value.clone(), callback));
        }

        @Override
        public Map<Integer, KnownLeader> leaders() {
            return Map.of(0, new KnownLeader(new Node(1, "h", 1), 1));
        }
    }

    private ClockTeacher teacher(double rate) {
        estimator.stampedByLeader(true);
        return new ClockTeacher(
                "clocks",
                (lane, serial, attempts) -> {
                    Fake fake = new Fake();
                    opened.add(fake);
                    return fake;
                },
                new ProbeCodec(7, 0, ProbeContent.plain(100)),
                rate,
                told::contains,
                new SendContext(
                        new Supervisor(System::nanoTime),
                        null,
                        estimator,
                        (probe, reason) -> {},
                        clock::get));
    }

    @AfterEach
    void end() {
        teacher.close();
    }

    /** Ticks until a client is there and has sent. */
    private Fake running(int number) {
        await().atMost(Duration.ofSeconds(10))
                .until(
                        () -> {
                            teacher.tick(LEADERS);
                            clock.addAndGet(100 * MS);
                            return opened.size() == number
                                    && (!opened.get(number - 1).sent.isEmpty()
                                            || opened.get(number - 1).broken);
                        });
        return opened.get(number - 1);
    }

    private void answer(Sent sent, int broker, long after) {
        long dispatched = clock.get();
        clock.addAndGet(after);
        sent.callback()
                .onCompletion(
                        new RecordMetadata(
                                new TopicPartition("t", sent.partition()), 5, 0, 90_000, -1, 100),
                        null,
                        new Dispatch(broker, 0, 0, dispatched, clock.get(), true));
    }

    private int sentTo(Fake fake, int partition) {
        return (int) fake.sent.stream().filter(each -> each.partition() == partition).count();
    }

    @Test
    void aLeaderGetsOneASecondThatIsNoProbeAndItsClockLearns() {
        Fake fake = running(1);
        assertThat(fake.sent).hasSize(2);
        Sent first = fake.sent.stream().filter(each -> each.partition() == 0).findFirst().get();
        assertThat(new ProbeCodec(7, 0, ProbeContent.plain(100)).recognise(first.value(), 0))
                .isEqualTo(ProbeCodec.Kind.TEACHING);

        answer(first, 1, MS);
        assertThat(clocks.clock(1).uncertaintyNanos(clock.get()).getAsLong()).isLessThan(2 * MS);
        answer(fake.sent.get(fake.sent.get(0) == first ? 1 : 0), 2, MS);
        int answered = fake.sent.size();
        for (long end = clock.get() + 100 * SECOND; clock.get() < end; ) {
            teacher.tick(LEADERS);
            for (; answered < fake.sent.size(); answered++) {
                Sent next = fake.sent.get(answered);
                answer(next, next.partition() == 0 ? 1 : 2, MS);
            }
            clock.addAndGet(99 * MS);
        }
        assertThat(sentTo(fake, 0)).isBetween(80, 120);
    }

    @Test
    void nothingIsSentToWhomTellsItselfOrHasNotAnsweredYet() {
        told.add(2);
        Fake fake = running(1);
        clock.addAndGet(30 * SECOND);
        teacher.tick(LEADERS);

        assertThat(fake.sent).hasSize(1).allMatch(each -> each.partition() == 0);
    }

    @Test
    void nothingIsSentWhereRecordsDoNotCarryTheAppendTime() {
        estimator.stampedByLeader(false);
        teacher.tick(LEADERS);

        assertThat(opened).isEmpty();
    }

    @Test
    void aTimeOutIsNoRefusal() {
        Fake fake = running(1);
        List.copyOf(fake.sent)
                .forEach(each -> each.callback().onCompletion(null, new TimeoutException(), null));
        clock.addAndGet(2 * SECOND);
        teacher.tick(LEADERS);

        assertThat(fake.sent).hasSize(4);
    }

    @Test
    void whatIsRefusedIsNotTriedAgainUntilTheClientsAreRenewed() {
        Fake fake = running(1);
        fake.sent
                .get(0)
                .callback()
                .onCompletion(null, new TopicAuthorizationException(Set.of("t")), null);
        clock.addAndGet(30 * SECOND);
        teacher.tick(LEADERS);
        assertThat(fake.sent).hasSize(2);

        teacher.renew();
        Fake second = running(2);
        assertThat(second.sent).isNotEmpty();
        await().until(() -> fake.closed);
    }

    @Test
    void aClientOutOfServiceIsReplaced() {
        Fake fake = running(1);
        fake.sent.forEach(each -> answer(each, 1, MS));
        fake.broken = true;
        clock.addAndGet(2 * SECOND);

        running(2);
        await().until(() -> fake.closed);
    }
}
