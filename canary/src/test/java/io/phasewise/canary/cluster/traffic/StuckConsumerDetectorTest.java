/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.probe.ledger.LeaderCounts;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StuckConsumerDetectorTest {
    /**
     * Each look has how many probes of a broker are lost, and the second. The broker leads, does
     * not lead, or leads with probes that come back; the consumer is replaced, or a problem for
     * having been replaced.
     */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    probes of a leader get lost       | leads 0 60; leads 5 65 replaced
                    a broker that does not lead       | other 0 60; other 5 65
                    a broker whose probes come back   | leads 0 60; back 5 65
                    losses of the first look, or old  | leads 5 60; leads 5 65
                    a new consumer proves itself      | leads 0 60; leads 5 65 replaced; leads 9 124 problem; leads 12 126 replaced
                    nothing got lost for a while      | leads 0 60; leads 5 65 replaced; leads 5 70 problem; leads 6 100 problem; back 6 159 problem; back 6 160
                    """)
    void aConsumerThatReadsInVainIsReplaced(String what, String looks) {
        StuckConsumerDetector detector = new StuckConsumerDetector(Duration.ofSeconds(60), 0);
        for (String look : looks.split("; ")) {
            String[] of = look.split(" ");
            boolean replaced = detector.update(
                    of[0].equals("other") ? List.of() : List.of(1),
                    of[0].equals("back") ? Set.of(1) : Set.of(),
                    lost(Long.parseLong(of[1])),
                    TimeUnit.SECONDS.toNanos(Long.parseLong(of[2])));
            assertThat(replaced).as(look).isEqualTo(look.endsWith("replaced"));
            assertThat(detector.problem().isPresent()).as(look).isEqualTo(of.length > 3);
        }
    }

    private static List<LeaderCounts> lost(long lost) {
        LeaderCounts.Outcomes outcomes = new LeaderCounts.Outcomes(0, 0, lost, 0);
        LeaderCounts.Verdicts verdicts = new LeaderCounts.Verdicts(0, lost, 0);
        return List.of(new LeaderCounts(1, lost, outcomes, 0, 0, 0, 0, 0, verdicts, OptionalLong.empty()));
    }
}
