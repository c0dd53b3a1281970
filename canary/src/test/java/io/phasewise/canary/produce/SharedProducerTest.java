/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.produce;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.ledger.LatencyRecorder;
import io.phasewise.canary.ledger.LeaderCounts;
import io.phasewise.canary.ledger.Ledger;
import io.phasewise.canary.ledger.Probe;
import io.phasewise.canary.probe.ProbeCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class SharedProducerTest {
    private static final Node BROKER_1 = new Node(1, "h", 1);
    private static final Node BROKER_2 = new Node(2, "h", 2);

    private final AtomicLong clock = new AtomicLong(100);
    private final List<Long> acknowledged = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final Ledger ledger =
            new Ledger(
                    Duration.ofMillis(50),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(60),
                    leader ->
                            new LatencyRecorder() {
                                @Override
                                public void endToEnd(long nanos) {}

                                @Override
                                public void producer(long nanos) {
                                    acknowledged.add(nanos);
                                }
                            });
    private final ProbeCodec codec = new ProbeCodec(5, 0, 100);
    private final MockProducer<byte[], byte[]> kafka =
            new MockProducer<>(
                    new Cluster(
                            "id",
                            List.of(BROKER_1, BROKER_2),
                            List.of(
                                    new PartitionInfo(
                                            "probes", 0, BROKER_1, new Node[0], new Node[0]),
                                    new PartitionInfo("probes", 1, null, new Node[0], new Node[0])),
                            java.util.Set.of(),
                            java.util.Set.of()),
                    false,
                    null,
                    new ByteArraySerializer(),
                    new ByteArraySerializer());
    private final SharedProducer producer = producer(1 << 20);

    SharedProducerTest() {
        ledger.lead(0, 1);
        ledger.lead(1, 2);
    }

    @Test
    void sendsTheProbeToItsPartitionWithItsIdentity() {
        ledger.scheduled(0, 7);
        producer.send(ledger.scheduled(0, 8));

        ProducerRecord<byte[], byte[]> record = kafka.history().get(0);
        assertThat(record.topic()).isEqualTo("probes");
        assertThat(record.partition()).isZero();
        assertThat(codec.recognise(record.value(), 0)).isEqualTo(ProbeCodec.Kind.OWN);
        assertThat(ProbeCodec.sequence(record.value())).isEqualTo(1);
    }

    @Test
    void producerLatencyRunsFromSendToAcknowledgement() {
        producer.send(ledger.scheduled(0, 0));
        clock.set(350);

        kafka.completeNext();

        assertThat(acknowledged).containsExactly(250L);
        assertThat(counts(0).inFlight()).as("only the consumer ends a probe").isEqualTo(1);
    }

    @Test
    void aRefusedProbeHasFailed() {
        producer.send(ledger.scheduled(0, 0));

        kafka.errorNext(new NotEnoughReplicasException("too few"));

        assertThat(counts(0).sendFailed()).isEqualTo(1);
        assertThat(failures).containsExactly("1 NotEnoughReplicasException");
        assertThat(producer.broken()).isFalse();
    }

    @Test
    void aSendThatThrowsHasFailedAndMeansThatTheProducerIsBroken() {
        kafka.sendException = new KafkaException("a fatal error of idempotence");

        producer.send(ledger.scheduled(0, 0));

        assertThat(counts(0).sendFailed()).isEqualTo(1);
        assertThat(producer.broken()).isTrue();
    }

    @Test
    void aPartitionThatIsStuckCannotTakeTheOthersBuffer() {
        SharedProducer small = producer(5_000); // two partitions: room for 8 probes each
        small.send(ledger.scheduled(1, 0));
        for (int i = 0; i < 50; i++) {
            small.send(ledger.scheduled(0, i));
        }

        long failed = counts(0).sendFailed();
        assertThat(failed).isBetween(30L, 49L);

        small.send(ledger.scheduled(1, 1));
        assertThat(counts(1).sendFailed()).isZero();

        kafka.completeNext();
        kafka.completeNext();
        small.send(ledger.scheduled(0, 60));
        assertThat(counts(0).sendFailed()).as("an acknowledgement makes room").isEqualTo(failed);
    }

    @Test
    void tellsWhoLeadsAndLeavesOutWhatNobodyLeads() {
        assertThat(producer.leaders()).containsOnly(java.util.Map.entry(0, 1));
    }

    private SharedProducer producer(long bufferMemory) {
        return new SharedProducer(
                kafka, "probes", codec, ledger, this::failed, clock::get, bufferMemory);
    }

    private void failed(Probe probe, Exception reason) {
        failures.add(probe.leader() + " " + reason.getClass().getSimpleName());
    }

    private LeaderCounts counts(int index) {
        return ledger.counts().get(index);
    }
}
