/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeRecordTest {
    private static final String SLOW = "2026-11-21T20:00:00.500Z INFO slow probe id=00000000000000aa-1-7 cluster=lab"
            + " profile=default leader=2 partition=1 offset=7 outcome=delivered"
            + " due=2026-11-21T20:00:00.125Z end_to_end=3.500ms produce=0.100ms"
            + " publish=1.000ms commit=2.000ms catch_up=0.000ms fetch=0.400ms"
            + " dispatched=0.100ms appended=1.100ms committed=3.100ms reached=3.100ms"
            + " acknowledged=2.250ms waited=0.000ms ";
    private static final String UNDELIVERED =
            "2026-11-21T20:01:00.500Z INFO undelivered probe id=00000000000000aa-1-8 cluster=lab"
                    + " profile=default leader=2 partition=1 outcome=lost"
                    + " due=2026-11-21T20:00:00.175Z dispatched=never acknowledged=never";

    @Test
    void aLineOfTheCanarysLogIsReadInFull() {
        ProbeRecord probe = read(SLOW + "stalled=true stalled_for=2.000ms");

        Instant due = Instant.parse("2026-11-21T20:00:00.125Z");
        double[] phases = {0.1, 1, 2, 0, 0.4};
        assertThat(probe)
                .usingRecursiveComparison()
                .isEqualTo(new ProbeRecord(1, 7, 2, due, "delivered", 3.5, 2.25, phases, 2));
        assertThat(probe.stalled()).isTrue();
        assertThat(probe.within(3.5)).isTrue();
        assertThat(probe.within(3.4)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "stalled=true stalled_for=2.000ms, true",
        "stalled=true stalled_for=1.000ms, false",
        "stalled=true, true",
        "stalled=false stalled_for=0.000ms, false",
    })
    void aProbeIsMostlyAPauseOfTheCanaryWhereHalfOfItsLatencyWasOne(String pauses, boolean mostly) {
        assertThat(read(SLOW + pauses).mostlyCanaryPause()).isEqualTo(mostly);
    }

    @Test
    void oneThatDidNotComeBackRanksBehindAllThatDid() {
        ProbeRecord probe = read(UNDELIVERED);

        assertThat(probe.cameBack()).isFalse();
        assertThat(probe.outcome()).isEqualTo("lost");
        assertThat(probe.within(1e9)).isFalse();
        assertThat(probe.endToEnd()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(probe.acknowledged()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(probe.phases()).containsOnly(Double.NaN);
    }

    @Test
    void otherLinesAreLeftAlone() {
        assertThat(ProbeRecord.read("slow and undelivered probes not logged in the last minute (rate"
                        + " limit) cluster=lab profile=default count=101"))
                .isEmpty();
        assertThat(ProbeRecord.read("INFO stopping")).isEmpty();
    }

    private static ProbeRecord read(String line) {
        return ProbeRecord.read(line).orElseThrow();
    }
}
