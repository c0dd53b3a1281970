/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static io.phasewise.canary.send.SendTestBed.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.send.FakeClient.Sent;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.DispatchTimingProducer.AttemptListener;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Broker 1 leads partition 0, broker 2 partitions 1 and 2. */
class ClockCalibratorTest {
    private static final long SECOND = 1_000 * MS;
    private static final Map<Integer, Integer> LEADERS = Map.of(0, 1, 1, 2, 2, 2);

    private final SendTestBed bed = new SendTestBed(Attribution.CRITICAL_PATH);
    private final Set<Integer> told = new HashSet<>();
    private final List<FakeClient> opened = new CopyOnWriteArrayList<>();
    private final ClockCalibrator calibrator =
            new ClockCalibrator("clocks", this::open, SendTestBed.codec(), 20, told::contains, bed.context());

    ClockCalibratorTest() {
        bed.clock.set(0);
        bed.showsAppendTime(true);
    }

    private FakeClient open(int lane, int serial, AttemptListener attempts) {
        opened.add(new FakeClient(attempts, bed.clock::get, () -> FakeClient.led(1)));
        return opened.get(opened.size() - 1);
    }

    @AfterEach
    void end() {
        calibrator.close();
    }

    /** Ticks until so many clients were opened and the last has sent. */
    private FakeClient running(int number) {
        await().atMost(Duration.ofSeconds(10)).until(() -> {
            calibrator.tick(LEADERS);
            bed.pass(100 * MS);
            return opened.size() == number && !opened.get(number - 1).sent.isEmpty();
        });
        return opened.get(number - 1);
    }

    private void answer(Sent sent) {
        long dispatched = bed.clock.get();
        bed.pass(MS);
        int broker = LEADERS.get(sent.partition());
        sent.complete(new Dispatch(broker, 0, 0, dispatched, bed.clock.get(), true), 90_000, null);
    }

    private static long toPartitionZero(FakeClient client) {
        return client.sent.stream().filter(each -> each.partition() == 0).count();
    }

    @Test
    void aLeaderGetsOneASecondThatIsNoProbeAndItsClockLearns() {
        FakeClient client = running(1);
        assertThat(client.sent).hasSize(2);
        assertThat(toPartitionZero(client)).isOne();
        for (Sent each : client.sent) {
            assertThat(SendTestBed.codec().recognise(each.value(), each.partition()))
                    .isEqualTo(ProbeCodec.Kind.CALIBRATION);
            answer(each);
        }
        assertThat(bed.clocks.clock(1).uncertaintyNanos(bed.clock.get()).getAsLong())
                .isLessThan(2 * MS);

        int answered = client.sent.size();
        for (long end = bed.clock.get() + 100 * SECOND; bed.clock.get() < end; ) {
            calibrator.tick(LEADERS);
            client.sent.stream().skip(answered).forEach(this::answer);
            answered = client.sent.size();
            bed.pass(99 * MS);
        }
        assertThat(toPartitionZero(client)).isBetween(80L, 120L);
    }

    @Test
    void nothingIsSentToWhomTellsItselfOrHasNotAnsweredYet() {
        told.add(2);
        FakeClient client = running(1);
        bed.pass(30 * SECOND);
        calibrator.tick(LEADERS);

        assertThat(client.sent).hasSize(1).allMatch(each -> each.partition() == 0);
    }

    @Test
    void nothingIsSentWhereRecordsDoNotCarryTheAppendTime() {
        bed.showsAppendTime(false);
        calibrator.tick(LEADERS);
        assertThat(opened).isEmpty();
    }

    @Test
    void aTimeOutIsNoRefusalAndWhatIsRefusedWaitsForNewClients() {
        FakeClient client = running(1);
        List.copyOf(client.sent).forEach(each -> each.fail(new TimeoutException()));
        bed.pass(2 * SECOND);
        calibrator.tick(LEADERS);
        assertThat(client.sent).hasSize(4);

        client.sent.peekLast().fail(new TopicAuthorizationException(Set.of("t")));
        bed.pass(30 * SECOND);
        calibrator.tick(LEADERS);
        assertThat(client.sent).hasSize(4);
        calibrator.renew();
        running(2);
        await().until(() -> client.closed);
    }

    @Test
    void aClientOutOfServiceIsReplaced() {
        FakeClient client = running(1);
        client.sent.forEach(this::answer);
        client.broken = new KafkaException("fenced");
        bed.pass(2 * SECOND);
        running(2);
        await().until(() -> client.closed);
    }
}
