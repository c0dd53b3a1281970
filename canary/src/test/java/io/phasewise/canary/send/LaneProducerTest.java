/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static io.phasewise.canary.send.FakeClient.led;
import static io.phasewise.canary.send.FakeClient.node;
import static io.phasewise.canary.send.FakeClient.untold;
import static io.phasewise.canary.send.SendTestBed.MS;
import static io.phasewise.canary.send.SendTestBed.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.send.FakeClient.Sent;
import io.phasewise.canary.trip.Delivery;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.DispatchTimingProducer.AttemptListener;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.clients.producer.DispatchTimingProducer.KnownLeader;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Broker 1 leads partition 0, broker 2 partition 1. */
class LaneProducerTest {
    private static final Set<Integer> PARTITIONS = Set.of(0, 1);

    private final SendTestBed bed = new SendTestBed(Attribution.CRITICAL_PATH, 1, 2);
    private final Map<Integer, FakeClient> lanes = new ConcurrentHashMap<>();
    private volatile Supplier<Map<Integer, KnownLeader>> leaders = () -> led(1, 2);

    /** How many lanes but the first cannot be opened, by a fault that is not Kafka's. */
    private final AtomicInteger faultyOpenings = new AtomicInteger();

    private ProbeProducer producer;

    @AfterEach
    void close() {
        producer.close(Duration.ZERO);
    }

    @Test
    void aProbeGoesToItsPartitionWithItsIdentityAndItsLatencyEndsWithTheAnswer() {
        open(1);
        bed.due(0);
        send(0);

        Sent sent = lanes.get(0).sent.peek();
        assertThat(sent.partition()).isZero();
        assertThat(SendTestBed.codec().recognise(sent.value(), 0)).isEqualTo(ProbeCodec.Kind.OWN);
        assertThat(ProbeCodec.sequence(sent.value())).isEqualTo(1);
        bed.pass(250);
        lanes.get(0).answer(0, null);
        assertThat(bed.latencies.producer).containsExactly(250L);
        assertThat(bed.counts().inFlight()).as("only the consumer ends a probe").isEqualTo(2);
    }

    @Test
    void aBusyLaneIsFreeForOtherBrokersAndHoldsUpItsOwn() {
        open(1);
        send(0);
        send(0);
        send(1);
        assertThat(lanes.get(0).sent).extracting(Sent::partition).containsExactly(0, 1);

        bed.pass(7 * MS);
        lanes.get(0).answer(0, null);

        assertThat(lanes.get(0).sent).extracting(Sent::partition).containsExactly(1, 0);
        assertThat(bed.waits).containsExactly(0L, 0L, 7 * MS);
    }

    @Test
    void theWaitForALaneIsChargedToWhatTheProbeInFrontDidMeanwhile() {
        open(1);
        bed.showsAppendTime(true);
        send(0);
        Probe behind = send(0);
        bed.pass(100 * MS);
        lanes.get(0).answer(0, null);
        bed.pass(2 * MS);
        lanes.get(0).answer(0, null);

        bed.deliver(behind, bed.clock.get() / MS);

        PhaseBreakdown last = bed.latencies.phases.get(0);
        assertThat(last.total()).isEqualTo(102 * MS);
        assertThat(last.produce())
                .as("by position it would be 100 ms; the front was published and committed then")
                .isLessThan(1 * MS);
    }

    @Test
    void aLaneWhoseOpeningMetAFaultIsOpenedAgainAndTheFaultIsCounted() {
        faultyOpenings.set(1);
        open(2);
        send(0);

        awaitReady(2);

        assertThat(producer.lanes().orElseThrow().warming()).isZero();
        assertThat(bed.faults).hasSize(1).first().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aLaneThatMeetsAFaultWhileItIsConnectedIsMadeAnew() {
        open(2);
        leaders = untold(new IllegalStateException("a fault"));
        send(0);
        awaitThat(() -> !bed.faults.isEmpty());

        leaders = () -> led(1, 2);

        awaitReady(2);
        assertThat(lanes.get(1).closed).isFalse();
    }

    @Test
    void aRenewalReplacesEachLaneAndNoProbeFails() {
        open(2);
        send(0);
        awaitReady(2);
        List<FakeClient> before = List.copyOf(lanes.values());
        FakeClient busy =
                before.stream().filter(lane -> !lane.sent.isEmpty()).findFirst().get();

        producer.renew();
        awaitTicking(() -> before.stream().allMatch(lane -> lane.closed || lane == busy)
                && !before.containsAll(lanes.values())
                && ready() > 0);

        assertThat(busy.closed).as("a request is under way on it").isFalse();
        busy.answer(0, null);
        awaitTicking(() -> before.stream().allMatch(lane -> lane.closed) && ready() > 0);
        send(0);
        assertThat(lanes.values()).anyMatch(lane -> lane.sent.size() == 1);
        assertThat(bed.latencies.producer).hasSize(1);
        assertThat(bed.failures).isEmpty();
    }

    @Test
    void aRefusedProbeHasFailedAndTheLaneGoesOn() {
        open(1);
        send(0);
        lanes.get(0).answer(0, new NotEnoughReplicasException("too few"));
        send(0);

        assertThat(bed.counts().outcomes().sendFailed()).isEqualTo(1);
        assertThat(bed.failures).containsExactly("1 NotEnoughReplicasException");
        assertThat(lanes.get(0).sent).hasSize(1);
    }

    @Test
    void aLaneThatKafkaPutOutOfServiceIsReplaced() {
        open(1);
        FakeClient first = lanes.get(0);
        first.broken = new KafkaException("a fatal error of idempotence");

        send(0);
        producer.tick(PARTITIONS);

        assertThat(bed.counts().outcomes().sendFailed()).isEqualTo(1);
        awaitThat(() -> first.closed && lanes.get(0) != first);
        awaitReady(1);
        send(0);
        assertThat(lanes.get(0).sent).hasSize(1);
    }

    @Test
    void aThousandThatFailAtOnceOneAfterTheOtherAreNoDeepRecursion() {
        open(1);
        for (int i = 0; i < 5_000; i++) {
            send(0);
        }
        lanes.get(0).failsAtOnce = new BufferExhaustedException("no buffer");

        lanes.get(0).answer(0, null);

        assertThat(bed.counts().outcomes().sendFailed()).isEqualTo(4_999);
    }

    @Test
    void whatHasWaitedForTheLossHorizonIsGivenUpAndTheOthersAreSent() {
        open(1);
        send(0);
        send(0);
        bed.pass(60_001 * MS);
        send(0);

        producer.tick(PARTITIONS);

        assertThat(bed.failures).containsExactly("1 TimeoutException");
        lanes.get(0).answer(0, null);
        assertThat(lanes.get(0).sent).hasSize(1);
    }

    @Test
    void aProbeOfWhichNoLeaderIsKnownWaitsForOneAndThatIsItsProducePhase() {
        open(1);
        bed.showsAppendTime(true);
        lanes.get(0).failsAtOnce = new TimeoutException("Topic t not present in metadata after 0 ms.");
        Probe waiting = send(0);
        bed.pass(3_000 * MS);
        producer.tick(PARTITIONS);
        assertThat(lanes.get(0).sent).isEmpty();
        assertThat(bed.failures).isEmpty();

        lanes.get(0).failsAtOnce = null;
        producer.tick(PARTITIONS);
        bed.pass(2 * MS);
        lanes.get(0).answer(0, null);
        bed.deliver(waiting, bed.clock.get() / MS);

        assertThat(bed.latencies.phases.get(0).produce()).isGreaterThanOrEqualTo(3_000 * MS);
        assertThat(bed.waits).as("one wait for a lane").containsExactly(0L);
        assertThat(bed.failures).isEmpty();
    }

    @Test
    void whileNoClientKnowsALeaderNothingIsTried() {
        open(1);
        FakeClient lane = lanes.get(0);
        lane.failsAtOnce = new TimeoutException("Topic t not present in metadata after 0 ms.");
        send(0);
        leaders = untold(new TimeoutException("Topic t not present in metadata after 0 ms."));
        lane.failsAtOnce = null;
        producer.tick(PARTITIONS);
        assertThat(lane.sent).isEmpty();

        leaders = () -> led(1, 2);
        producer.tick(PARTITIONS);
        assertThat(lane.sent).hasSize(1);
    }

    @Test
    void aProbeOfWhichNoLeaderIsKnownForTheLossHorizonIsGivenUp() {
        open(1);
        lanes.get(0).failsAtOnce = new TimeoutException("Topic t not present in metadata after 0 ms.");
        send(0);
        bed.pass(60_001 * MS);
        producer.tick(PARTITIONS);

        assertThat(bed.failures).containsExactly("1 TimeoutException");
        assertThat(bed.counts().outcomes().sendFailed()).isEqualTo(1);
        assertThat(bed.counts().inFlight()).isZero();
    }

    @Test
    void aProbeToATopicThatIsNotThereHasFailedAtOnce() {
        open(1);
        lanes.get(0).failsAtOnce = new TimeoutException(
                "Topic t not present in metadata after 0 ms.", new UnknownTopicOrPartitionException("no such topic"));
        send(0);

        assertThat(bed.failures).containsExactly("1 TimeoutException");
    }

    @Test
    void aLaneThatHangsOnAFormerLeaderIsReplacedAndItsProbeMayStillArrive() {
        open(1);
        producer.tick(PARTITIONS);
        send(0);
        FakeClient first = lanes.get(0);
        leaders = () -> Map.of(0, new KnownLeader(node(2), 2), 1, new KnownLeader(node(2), 1));
        bed.pass(MS);
        assertThat(producer.tick(PARTITIONS)).containsEntry(0, 2);
        bed.pass(1_500 * MS);
        producer.tick(PARTITIONS);
        producer.tick(PARTITIONS);

        awaitThat(() -> lanes.get(0) != first);
        assertThat(first.closed).as("while its probe is under way").isFalse();
        bed.pass(MS);
        first.answer(0, null);
        awaitThat(() -> first.closed);
        assertThat(bed.latencies.producer).hasSize(1);
    }

    @Test
    void aNewPartitionIsAskedForAndToldOfOnceEveryLaneHasHeardOfIt() {
        open(2);
        send(0);
        awaitReady(2);
        FakeClient first = lanes.get(0);
        FakeClient second = lanes.get(1);
        producer.tick(PARTITIONS);
        int before = first.refreshes;
        assertThat(producer.tick(PARTITIONS)).hasSize(2);
        assertThat(first.refreshes).as("nothing is wanting").isEqualTo(before);

        Set<Integer> grown = Set.of(0, 1, 2);
        assertThat(producer.tick(grown)).doesNotContainKey(2);
        assertThat(first.refreshes).isGreaterThan(before);
        first.leaders = () -> led(1, 2, 3);
        int behind = second.refreshes;
        assertThat(producer.tick(grown))
                .as("the second lane would refuse its probes")
                .doesNotContainKey(2);
        assertThat(second.refreshes).isGreaterThan(behind);
        second.leaders = first.leaders;
        assertThat(producer.tick(grown)).containsEntry(2, 3);
        assertThat(List.of(first, second))
                .as("no probe pays for the connection")
                .allMatch(lane -> lane.connected.contains(node(3)));

        second.leaders = Map::of;
        assertThat(producer.tick(grown))
                .as("who leads it may be unknown for a while, it is no new one")
                .containsEntry(2, 3);
    }

    @Test
    void saysWhyTheClusterRefusesToTellWhoLeads() {
        leaders = untold(new TopicAuthorizationException("no"));
        producer = make(1);

        await().untilAsserted(() ->
                assertThatThrownBy(() -> producer.tick(PARTITIONS)).isInstanceOf(TopicAuthorizationException.class));
        leaders = () -> led(1, 2);
        awaitReady(1);
        assertThat(producer.tick(PARTITIONS)).hasSize(2);
    }

    @Test
    void whatWaitsBehindAFailedAttemptWaitsForTheLeaderAndNotForTheClient() {
        open(1);
        long t0 = bed.clock.get();
        send(0);
        FakeClient lane = lanes.get(0);
        Sent front = lane.sent.remove();
        lane.attempts.attemptFailed(0, ByteBuffer.wrap(front.value()), new Dispatch(1, 0, 0, t0, t0 + 2 * MS, false));
        bed.pass(30 * MS);
        lane.send(0, null, front.value(), front.callback()); // the same record once more
        Probe waiting = bed.ledger.scheduled(0, t0 + MS);
        producer.send(waiting);
        bed.pass(5 * MS);
        lane.answer(0, null);
        lane.answer(0, null);
        bed.pass(MS);

        bed.deliver(waiting, Delivery.NO_APPEND_TIME);

        PhaseBreakdown phases = bed.latencies.phases.get(0);
        assertThat(phases.publish()).as("the front's attempts").isEqualTo(29 * MS);
        assertThat(phases.produce()).isZero();
        assertThat(phases.total()).isEqualTo(35 * MS);
    }

    private Probe send(int partition) {
        Probe probe = bed.due(partition);
        producer.send(probe);
        return probe;
    }

    private int ready() {
        return producer.lanes().orElseThrow().ready();
    }

    private void awaitReady(int lanes) {
        awaitThat(() -> ready() >= lanes);
    }

    private void awaitTicking(Callable<Boolean> condition) {
        awaitThat(() -> {
            producer.tick(PARTITIONS);
            return condition.call();
        });
    }

    private void open(int limit) {
        producer = make(limit);
        awaitReady(1);
    }

    private ProbeProducer make(int limit) {
        return new ProbeProducer(
                "lanes",
                this::lane,
                new LaneSettings(1, limit, 1, 1),
                SendTestBed::codec,
                Duration.ofSeconds(60),
                bed.context());
    }

    private FakeClient lane(int lane, int serial, AttemptListener attempts) {
        if (serial > 0 && faultyOpenings.getAndDecrement() > 0) {
            throw new IllegalStateException("a fault");
        }
        FakeClient client = new FakeClient(attempts, bed.clock::get, () -> leaders.get());
        lanes.put(lane, client);
        return client;
    }
}
