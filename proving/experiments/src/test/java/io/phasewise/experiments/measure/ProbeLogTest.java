/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbeLogTest {
    private static final Instant START = Instant.parse("2026-11-21T20:00:00Z");

    @TempDir
    private Path directory;

    @Test
    void aStretchIsCompleteWhenEveryNumberInItHasEnded() {
        ProbeLog log = new ProbeLog(directory.resolve("none"));
        assertThat(log.missing(at(2), at(5))).as("nothing yet").isEmpty();
        end(log, 0, 0, 1, 2, 4);
        assertThat(log.missing(at(2), at(5))).as("its end is not known").isEmpty();
        end(log, 0, 6);
        assertThat(log.missing(at(2), at(5))).as("3, and 5 which may be in it").hasValue(2);
        end(log, 0, 3, 5);
        assertThat(log.missing(at(2), at(5))).hasValue(0);
        assertThat(log.due(at(2), at(5))).extracting(ProbeRecord::sequence).containsExactly(2L, 3L, 4L);
        end(log, 1, 0, 1, 2, 3);
        assertThat(log.missing(at(2), at(5))).as("another partition").isEmpty();
        end(log, 1, 4, 5);
        assertThat(log.missing(at(2), at(5))).hasValue(0);
        assertThat(log.due(at(2), at(5))).hasSize(6);
    }

    @Test
    void aPartitionThatGetsNoMoreProbesIsCompleteALossHorizonLater() {
        ProbeLog log = new ProbeLog(directory.resolve("none"));
        end(log, 0, 0, 1, 2, 4);
        end(log, 1, 0, 1, 2, 3, 64);
        assertThat(log.missing(at(2), at(5)))
                .as("a probe of 0 may be under way")
                .isEmpty();
        end(log, 1, 65);
        assertThat(log.missing(at(2), at(5)).getAsLong())
                .as("3 of partition 0, 4 to 63 of partition 1")
                .isEqualTo(1 + 60);
        assertThat(log.missing(at(5), at(6)))
                .as("the first partition had none in it, the other may have")
                .isEmpty();
    }

    @Test
    void aLogIsReadAsItGrowsAndALateOneKeepsItsLatency() throws Exception {
        Path file = Files.writeString(directory.resolve("canary.log"), "INFO started\n" + undelivered(1));
        ProbeLog log = new ProbeLog(file);
        log.read();
        assertThat(log.due(at(0), at(9))).extracting(ProbeRecord::cameBack).containsExactly(false);

        String late = slow(1);
        append(file, late.substring(0, 100));
        log.read();
        assertThat(log.due(at(0), at(9)))
                .as("half a line")
                .extracting(ProbeRecord::cameBack)
                .containsExactly(false);

        append(file, late.substring(100) + slow(2));
        log.read();
        assertThat(log.due(at(0), at(9))).extracting(ProbeRecord::cameBack).containsExactly(true, true);
        assertThat(log.due(at(0), at(9)).get(0).endToEnd()).isEqualTo(3.5);
        assertThat(log.otherLines()).isEqualTo(1);
        assertThat(log.contradictions()).isZero();

        append(file, slow(2));
        log.read();
        assertThat(log.contradictions()).as("it came back twice").isOne();
    }

    @Test
    void probesHaveEndedWhenNoNumberIsMissingUpToALaterOne() {
        ProbeLog log = new ProbeLog(directory.resolve("none"));
        assertThat(log.ended(at(0))).as("nothing yet").isFalse();
        end(log, 0, 0, 2);
        assertThat(log.ended(at(1))).as("1 is under way").isFalse();
        end(log, 0, 1);
        assertThat(log.ended(at(2))).isTrue();
        assertThat(log.ended(at(3))).as("the next may be due before").isFalse();
        end(log, 1, 1);
        assertThat(log.ended(at(1))).as("0 of another partition").isFalse();
    }

    private static void append(Path file, String text) throws Exception {
        Files.writeString(file, text, StandardOpenOption.APPEND);
    }

    private static String undelivered(int sequence) {
        return "INFO undelivered probe id=aa-0-%d leader=1 outcome=lost due=%s acknowledged=never\n"
                .formatted(sequence, at(sequence));
    }

    private static String slow(int sequence) {
        return """
        INFO slow probe id=aa-0-%d leader=1 outcome=lost due=%s end_to_end=3.500ms produce=0.100ms \
        publish=1.000ms commit=2.000ms catch_up=0.000ms fetch=0.400ms acknowledged=2.000ms stalled=false
        """.formatted(sequence, at(sequence));
    }

    private static void end(ProbeLog log, int partition, int... sequences) {
        for (int sequence : sequences) {
            log.add(Probes.delivered(partition, sequence, at(sequence), 1));
        }
    }

    private static Instant at(int second) {
        return START.plusSeconds(second);
    }
}
