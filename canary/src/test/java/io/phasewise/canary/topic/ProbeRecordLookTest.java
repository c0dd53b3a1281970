/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ProbeContent;
import io.phasewise.canary.topic.TopicOwnership.Records;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ProbeRecordLookTest {
    private static final TopicPartition FIRST = new TopicPartition("probes", 0);
    private static final TopicPartition SECOND = new TopicPartition("probes", 1);

    private final AtomicLong clock = new AtomicLong();
    private final MockConsumer<byte[], Boolean> consumer = new MockConsumer<>("earliest");
    private final ProbeRecordLook look = new ProbeRecordLook("probes", () -> consumer, clock::get);

    private void logs(long firstEnd, long secondEnd) {
        consumer.updateBeginningOffsets(Map.of(FIRST, 0L, SECOND, 0L));
        consumer.updateEndOffsets(Map.of(FIRST, firstEnd, SECOND, secondEnd));
    }

    private void record(TopicPartition at, long offset, Boolean isProbe) {
        consumer.addRecord(new ConsumerRecord<>(at.topic(), at.partition(), offset, null, isProbe));
    }

    @Test
    void saysThatAllAreProbesOnceEachLogWasReadToItsEnd() {
        logs(2, 1);
        consumer.schedulePollTask(() -> record(FIRST, 0, true));
        consumer.schedulePollTask(() -> record(SECOND, 0, true));
        consumer.schedulePollTask(() -> record(FIRST, 1, true));

        assertThat(look.look(2)).isEqualTo(Records.PROBES);
        assertThat(consumer.closed()).isTrue();
    }

    @Test
    void stopsAtTheFirstThatIsNone() {
        logs(1_000, 1);
        consumer.schedulePollTask(() -> record(FIRST, 0, false));

        assertThat(look.look(2)).isEqualTo(Records.OTHERS);
        assertThat(consumer.closed()).isTrue();
    }

    @Test
    void readsNothingWhereAPartitionIsEmpty() {
        logs(1_000, 0);

        assertThat(look.look(2)).isEqualTo(Records.TOO_FEW);
        assertThat(consumer.assignment()).isEmpty();
    }

    @Test
    void givesUpAfterHalfAMinute() {
        logs(2, 1);
        consumer.schedulePollTask(() -> {
            record(FIRST, 0, true);
            clock.addAndGet(TimeUnit.SECONDS.toNanos(31));
        });

        assertThat(look.look(2)).isEqualTo(Records.TOO_MANY);
        assertThat(consumer.closed()).isTrue();
    }

    /** Kafka asks no deserializer about a tombstone. */
    @Test
    void aRecordWithoutAValueIsNoProbe() throws Exception {
        logs(1_000, 1);
        consumer.schedulePollTask(() -> record(FIRST, 0, null));

        assertThat(look.look(2)).isEqualTo(Records.OTHERS);
    }

    @Test
    void knowsAProbeByHowItsValueBegins() {
        byte[] probe = new ProbeCodec(7, ProbeContent.plain(64)).encode(3, 1, 1);
        ProbeRecordLook.IsProbe isProbe = new ProbeRecordLook.IsProbe();

        assertThat(isProbe.deserialize("probes", probe)).isTrue();
        assertThat(isProbe.deserialize("probes", null, ByteBuffer.wrap(probe))).isTrue();
        assertThat(isProbe.deserialize("probes", "an order, which is longer than a probe's header".getBytes()))
                .isFalse();
        assertThat(isProbe.deserialize("probes", "PHWS".getBytes())).isFalse();
        assertThat(isProbe.deserialize("probes", (byte[]) null)).isFalse();
    }
}
