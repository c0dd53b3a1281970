/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.measure.Phase;
import io.phasewise.experiments.measure.ProbeRecord;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FatesTest {
    private static final Instant T = Instant.parse("2026-11-22T12:00:00Z");
    private static final String SLOW =
            "INFO slow probe id=00000000000000aa-1-7 cluster=lab profile=default leader=2"
                    + " partition=1 offset=7 outcome=lost due=2026-11-22T12:00:00Z"
                    + " end_to_end=3.500ms produce=0.100ms publish=1.000ms commit=2.000ms"
                    + " catch_up=0.000ms fetch=0.400ms stalled=false";
    private static final String UNSEEN =
            "INFO unseen probe id=00000000000000aa-1-7 cluster=lab profile=default leader=2"
                    + " partition=1 outcome=lost due=2026-11-22T12:00:00Z dispatched=never";

    private final Fates fates = new Fates();

    @Test
    void aLineThatIsWrittenInTwoPiecesIsReadOnce(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("log");
        FateLog log = new FateLog(file);
        Files.writeString(file, "INFO starting\n" + UNSEEN.substring(0, 60));
        log.read();
        Files.writeString(file, UNSEEN.substring(60) + "\n", StandardOpenOption.APPEND);

        assertThat(log.read().due(T, T.plusSeconds(1)))
                .containsExactly(new Fate(1, 7, 2, T, "lost", Optional.empty()));
        assertThat(log.otherLines()).isEqualTo(1);
    }

    @Test
    void aProbeThatTurnsUpAfterAllHasOneEnd() {
        fates.add(Fate.read(UNSEEN).orElseThrow());
        fates.add(Fate.read(SLOW).orElseThrow());

        List<Fate> due = fates.due(T, T.plusMillis(1));
        assertThat(Fates.outcomes(due)).containsEntry("lost", 1L).containsEntry("late", 0L);
        assertThat(due.get(0).back()).isPresent();
        assertThat(fates.contradictions()).isZero();
        fates.add(delivered(1, 7, 0, 5));
        assertThat(fates.contradictions()).isOne();
    }

    @Test
    void aLateProbeBelongsToWhenItWasDue() {
        fates.add(delivered(0, 0, 0, 2));
        fates.add(delivered(0, 1, 1_000, 8_000));
        fates.add(delivered(0, 2, 5_000, 4));

        assertThat(Fates.means(fates.due(T, at(1_000)))).containsEntry(Phase.PUBLISH, 2.0);
        assertThat(Fates.means(fates.due(at(1_000), at(5_000))))
                .containsEntry(Phase.PUBLISH, 8_000.0);
        assertThat(Fates.means(List.of()).get(Phase.COMMIT)).isNaN();
    }

    @Test
    void probesHaveEndedWhenNoNumberIsMissingUpToALaterOne() {
        fates.add(delivered(0, 0, 0, 2));
        fates.add(delivered(0, 2, 400, 2));
        assertThat(fates.ended(at(300))).as("1 is under way").isFalse();
        fates.add(unseen(0, 1, 200, "send_failed"));
        assertThat(fates.ended(at(400))).isTrue();
        assertThat(fates.ended(at(401))).as("the next may be due before").isFalse();
        fates.add(delivered(1, 1, 500, 2));
        assertThat(fates.ended(at(300))).as("of another partition").isFalse();
        assertThat(new Fates().ended(T)).isFalse();
    }

    @Test
    void recoveryIsTheFirstStretchAsGoodAsBefore() {
        for (int i = 0; i < 60; i++) {
            int millis = 100 * i;
            fates.add(millis < 1_500 ? unseen(0, i, millis, "lost") : delivered(0, i, millis, 5));
        }
        List<Fate> before = List.of(delivered(0, 0, -1_000, 5), delivered(0, 1, -900, 5));

        // Two of twenty may be bad.
        assertThat(fates.recovered(T, before, 50)).contains(at(1_300));
        List<Fate> faster = List.of(delivered(0, 0, -1_000, 3));
        assertThat(fates.recovered(T, faster, 4)).as("none is so fast again").isEmpty();
        assertThat(fates.recovered(at(5_000), before, 50)).as("too short a stretch").isEmpty();
        List<Fate> twoLeaders = List.of(delivered(0, 0, 0, 5), withLeader(9));
        assertThat(fates.recovered(T, twoLeaders, 50)).as("leader 9 has no probes").isEmpty();
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
        List<Fate> well = List.of(delivered(0, 0, 0, 5));
        List<Fate> lost = List.of(unseen(0, 1, 0, "lost"));

        assertThat(Effects.faults(row, lostLater, well, well, unmoved))
                .containsExactly("no probe felt it");
        assertThat(Effects.faults(row, lostLater, lost, well, unmoved)).isEmpty();
        assertThat(Effects.faults(row, lostLater, lost, lost, unmoved)).isNotEmpty();
    }

    private static Instant at(int millis) {
        return T.plusMillis(millis);
    }

    private static Fate delivered(int partition, long sequence, int dueMillis, double millis) {
        double[] phases = {0, millis, 0, 0, 0};
        return new Fate(
                partition,
                sequence,
                1,
                at(dueMillis),
                "delivered",
                Optional.of(
                        new ProbeRecord(
                                partition, sequence, 1, at(dueMillis), millis, phases, false)));
    }

    private static Fate withLeader(int leader) {
        return new Fate(2, 0, leader, T, "delivered", Optional.empty());
    }

    private static Fate unseen(int partition, long sequence, int dueMillis, String outcome) {
        return new Fate(partition, sequence, 1, at(dueMillis), outcome, Optional.empty());
    }
}
