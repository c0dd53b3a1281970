/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.receive;

import static org.awaitility.Awaitility.await;

import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ProbeContent;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Ledgers;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.probe.ledger.RecordedLatencies;
import io.phasewise.canary.supervise.Supervisor;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;

/** A consumer of probes, on one of Kafka's without a network; broker 1 leads partition 0. */
final class ConsumerTestBed {
    static final Duration BOUND = Duration.ofSeconds(10);

    final RecordedEvents told = new RecordedEvents();
    final RecordedLatencies latencies = new RecordedLatencies();
    final ProbeCodec codec = new ProbeCodec(5, ProbeContent.plain(64));
    final Ledger ledger = new Ledgers().recorders(leader -> latencies).make();
    final PollLog polls = new PollLog(60_000_000_000L, 20_000);

    /** By how much its clock is later than the machine's. */
    final AtomicLong skippedNanos = new AtomicLong();

    final ProbeConsumer consumer;
    private final MockConsumer<byte[], byte[]> kafka;

    /**
     * @param commits how often, in a group; empty without one
     * @param kafka the first client
     */
    ConsumerTestBed(
            Optional<Duration> commits,
            MockConsumer<byte[], byte[]> kafka,
            Supplier<MockConsumer<byte[], byte[]>> clients) {
        this.kafka = kafka;
        consumer = new ProbeConsumer(
                new Supervisor(System::nanoTime),
                new ProbeConsumer.Settings("test", "probes", commits, false),
                clients::get,
                codec,
                ledger,
                told,
                polls,
                () -> System.nanoTime() + skippedNanos.get());
        ledger.lead(0, 1);
    }

    static TopicPartition partition(int number) {
        return new TopicPartition("probes", number);
    }

    /** The next poll returns a record of partition 0. */
    void deliver(byte[] value, long offset) {
        kafka.schedulePollTask(() -> kafka.addRecord(new ConsumerRecord<>("probes", 0, offset, null, value)));
    }

    /** The next poll returns a probe that was due now, and the ledger learns of it. */
    Probe deliverProbe(long offset) {
        Probe probe = ledger.scheduled(0, System.nanoTime());
        int before = latencies.endToEnd.size();
        deliver(codec.encode(0, probe.sequence(), 0).clone(), offset);
        await().atMost(BOUND).until(() -> latencies.endToEnd.size() > before);
        return probe;
    }

    long position(int partition) {
        long[] position = {-1};
        kafka.schedulePollTask(() -> position[0] = kafka.position(partition(partition)));
        await().atMost(BOUND).until(() -> position[0] >= 0);
        return position[0];
    }
}
