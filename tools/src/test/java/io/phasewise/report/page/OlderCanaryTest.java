/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.document.MarkdownWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said where a canary lacks counters, or was starved all the time. */
class OlderCanaryTest {
    @Test
    void withoutTheCounterOfSlowProbesTheTailIsByOwnP99AndSaidToBe() throws Exception {
        assertThat(written("/latency/slowSeconds", Map.of()))
                .contains("- **Tail**: This canary does not count in which phases slow probes spend their time"
                        + " (kafka\\_canary\\_slow\\_probes\\_phase\\_seconds\\_total)")
                .contains("By the phases' own p99: commit has the longest tail of the five phases: its own p99 is");
    }

    @Test
    void whereNoProbeWasSlowThatIsSaid() throws Exception {
        assertThat(written("/latency/slowSeconds", Map.of("COMMIT", 0.0)))
                .contains("- **Tail**: No probe missed the target. By the phases' own p99: commit");
    }

    @Test
    void whatIsNotKnownOfStarvationIsSaid() throws Exception {
        assertThat(written("/facts/starvedUnknown", 168))
                .contains("Whether the canary itself was starved is not known of 7 days");
    }

    @Test
    void latenciesOfACanaryStarvedThroughoutAreShownWithThatSaid() throws Exception {
        assertThat(written("/facts/starvedThroughout", true))
                .contains("In every block the canary's own stalls made most of the bad probes")
                .doesNotContain("Left out of the percentiles:");
    }

    private static String written(String place, Object value) throws Exception {
        return MarkdownWriter.written(ReviewDocument.of(SampleReview.review(Map.of(place, value))));
    }
}
