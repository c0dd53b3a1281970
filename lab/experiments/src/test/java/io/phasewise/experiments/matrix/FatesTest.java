/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.measure.ProbeLog;
import io.phasewise.experiments.measure.ProbeRecord;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FatesTest {
    private static final Instant T = Instant.parse("2026-11-22T12:00:00Z");

    private final ProbeLog log = new ProbeLog(Path.of("none"));

    @Test
    void aLateProbeBelongsToWhenItWasDue() {
        log.add(delivered(0, 0, 0, 2));
        log.add(delivered(0, 1, 1_000, 8_000));
        log.add(delivered(0, 2, 5_000, 4));

        assertThat(Fates.means(log.due(T, at(1_000)))).containsEntry(Phase.PUBLISH, 2.0);
        assertThat(Fates.means(log.due(at(1_000), at(5_000))))
                .containsEntry(Phase.PUBLISH, 8_000.0);
        assertThat(Fates.means(List.of()).get(Phase.COMMIT)).isNaN();
    }

    @Test
    void recoveryIsTheFirstStretchAsGoodAsBefore() {
        for (int i = 0; i < 60; i++) {
            int millis = 100 * i;
            log.add(millis < 1_500 ? unseen(0, i, millis, "lost") : delivered(0, i, millis, 5));
        }
        List<ProbeRecord> before = List.of(delivered(0, 0, -1_000, 5), delivered(0, 1, -900, 5));

        // Two of twenty may be bad.
        assertThat(Fates.recovered(log, T, before, 50)).contains(at(1_300));
        List<ProbeRecord> faster = List.of(delivered(0, 0, -1_000, 3));
        assertThat(Fates.recovered(log, T, faster, 4)).as("none is so fast again").isEmpty();
        assertThat(Fates.recovered(log, at(5_000), before, 50)).as("too short a stretch").isEmpty();
        List<ProbeRecord> twoLeaders = List.of(delivered(0, 0, 0, 5), withLeader(9));
        assertThat(Fates.recovered(log, T, twoLeaders, 50)).as("leader 9 has no probes").isEmpty();
    }

    @Test
    void whatIsCountedAsDeliveredAndNotInTheTopicIsFalse() {
        TopicLog topic = topic(3, 7);

        assertThat(topic.missing(List.of(delivered(3, 7, 0, 5)))).isZero();
        assertThat(topic.missing(List.of(delivered(3, 8, 0, 5), delivered(2, 7, 0, 5))))
                .isEqualTo(2);
        assertThat(topic.missing(List.of(unseen(3, 8, 0, "lost")))).isZero();
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

    @Test
    void anEffectIsAskedOfTheFaultsOwnProbes() {
        Map<Phase, Double> same = Fates.means(List.of(delivered(0, 0, 0, 5)));
        Row row = Row.of("r", "", scene -> () -> {}, null, Effect.IS_FELT, Set.of(1));
        Verdict unmoved = new Verdict(row, same, same, same);
        Map<String, Long> lostLater =
                Map.of("delivered", 9L, "late", 0L, "lost", 1L, "send_failed", 0L);
        List<ProbeRecord> well = probes(0, 90);

        assertThat(Effects.faults(row, lostLater, well, well, unmoved))
                .containsExactly("no probe felt it");
        assertThat(Effects.faults(row, lostLater, probes(90, 90), well, unmoved)).isEmpty();
        assertThat(Effects.faults(row, lostLater, probes(9, 9), probes(9, 9), unmoved))
                .isNotEmpty();
    }

    @Test
    void whatAFewProbesDoByThemselvesIsNotFelt() {
        assertThat(felt(probes(2, 100), probes(0, 90))).as("2 of 100").isFalse();
        assertThat(felt(probes(3, 100), probes(0, 90))).as("3 of 100").isTrue();
        assertThat(felt(probes(29, 1_500), probes(0, 90))).as("1.9 % of many").isFalse();
        assertThat(felt(probes(30, 1_500), probes(0, 90))).as("2 % of many").isTrue();
        assertThat(felt(probes(4, 100), probes(2, 100))).as("two more than before").isFalse();
        assertThat(felt(probes(5, 100), probes(2, 100))).as("three more").isTrue();
        assertThat(felt(List.of(), probes(0, 90))).as("no probe at all").isFalse();
    }

    private static boolean felt(List<ProbeRecord> during, List<ProbeRecord> before) {
        Map<Phase, Double> same = Fates.means(List.of(delivered(0, 0, 0, 5)));
        Row row = Row.of("r", "", scene -> () -> {}, null, Effect.IS_FELT, Set.of(1));
        Map<String, Long> outcomes =
                Map.of("delivered", 1L, "late", 0L, "lost", 0L, "send_failed", 0L);
        Verdict unmoved = new Verdict(row, same, same, same);
        return Effects.faults(row, outcomes, during, before, unmoved).isEmpty();
    }

    /** The first of them lost. */
    private static List<ProbeRecord> probes(int lost, int all) {
        return IntStream.range(0, all)
                .mapToObj(i -> i < lost ? unseen(0, i, 0, "lost") : delivered(0, i, 0, 5))
                .toList();
    }

    private static Instant at(int millis) {
        return T.plusMillis(millis);
    }

    private static ProbeRecord delivered(
            int partition, long sequence, int dueMillis, double millis) {
        double[] phases = {0, millis, 0, 0, 0};
        return new ProbeRecord(
                partition, sequence, 1, at(dueMillis), "delivered", millis, millis, phases, 0);
    }

    private static ProbeRecord withLeader(int leader) {
        return new ProbeRecord(2, 0, leader, T, "delivered", 5, 5, new double[5], 0);
    }

    private static ProbeRecord unseen(int partition, long sequence, int dueMillis, String outcome) {
        return new ProbeRecord(
                partition,
                sequence,
                1,
                at(dueMillis),
                outcome,
                Double.POSITIVE_INFINITY,
                Double.POSITIVE_INFINITY,
                new double[5],
                0);
    }
}
