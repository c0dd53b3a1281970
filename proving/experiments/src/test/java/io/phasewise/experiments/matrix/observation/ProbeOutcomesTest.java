/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.measure.ProbeLog;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.measure.Probes;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProbeOutcomesTest {
    private static final Instant T = Instant.parse("2026-11-22T12:00:00Z");

    private final ProbeLog log = new ProbeLog(Path.of("none"));

    @Test
    void aLateProbeBelongsToWhenItWasDue() {
        log.add(delivered(0, 0, 0, 2));
        log.add(delivered(0, 1, 1_000, 8_000));
        log.add(delivered(0, 2, 5_000, 4));

        assertThat(ProbeRecord.means(log.due(T, at(1_000)))).containsEntry(Phase.PUBLISH, 2.0);
        assertThat(ProbeRecord.means(log.due(at(1_000), at(5_000)))).containsEntry(Phase.PUBLISH, 8_000.0);
        assertThat(ProbeRecord.means(List.of()).get(Phase.COMMIT)).isNaN();
    }

    @Test
    void recoveryIsTheFirstStretchAsGoodAsBefore() {
        for (int i = 0; i < 60; i++) {
            int millis = 100 * i;
            log.add(millis < 1_500 ? Probes.lost(0, i, at(millis)) : delivered(0, i, millis, 5));
        }
        List<ProbeRecord> before = List.of(delivered(0, 0, -1_000, 5), delivered(0, 1, -900, 5));

        // Two of twenty may be bad.
        assertThat(ProbeOutcomes.recovered(log, T, before, 50)).contains(at(1_300));
        List<ProbeRecord> faster = List.of(delivered(0, 0, -1_000, 3));
        assertThat(ProbeOutcomes.recovered(log, T, faster, 4))
                .as("none is so fast again")
                .isEmpty();
        assertThat(ProbeOutcomes.recovered(log, at(5_000), before, 50))
                .as("too short a stretch")
                .isEmpty();
        List<ProbeRecord> twoLeaders = List.of(delivered(0, 0, 0, 5), withLeader(9));
        assertThat(ProbeOutcomes.recovered(log, T, twoLeaders, 50))
                .as("leader 9 has no probes")
                .isEmpty();
    }

    @Test
    void whatIsCountedAsDeliveredAndNotInTheTopicIsFalse() {
        TopicLog topic = topic(3, 7);

        assertThat(topic.missing(List.of(delivered(3, 7, 0, 5)))).isZero();
        assertThat(topic.missing(List.of(delivered(3, 8, 0, 5), delivered(2, 7, 0, 5))))
                .isEqualTo(2);
        assertThat(topic.missing(List.of(Probes.lost(3, 8, T)))).isZero();
    }

    private static TopicLog topic(int partition, long sequence) {
        TopicLog topic = new TopicLog();
        ByteBuffer value = ByteBuffer.allocate(40);
        value.putInt(0x50485753).put((byte) 1).putShort((short) 0).putInt(partition);
        value.putLong(0xaa).putLong(sequence);
        topic.take(partition, value.array());
        topic.take(partition, value.putLong(19, -1).array());
        topic.take(partition, new byte[40]);
        topic.take(partition, null);
        return topic;
    }

    private static Instant at(int millis) {
        return T.plusMillis(millis);
    }

    private static ProbeRecord delivered(int partition, long sequence, int dueMillis, double millis) {
        return Probes.delivered(partition, sequence, at(dueMillis), millis);
    }

    private static ProbeRecord withLeader(int leader) {
        return new ProbeRecord(2, 0, leader, T, "delivered", 5, 5, new double[5], 0);
    }
}
