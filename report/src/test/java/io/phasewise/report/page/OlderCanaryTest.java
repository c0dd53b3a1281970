/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.review.PathPart;
import io.phasewise.report.review.Review;
import io.phasewise.report.review.Review.Facts;
import io.phasewise.report.review.Review.Latency;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page says where a canary lacks counters, or was starved all the time. */
class OlderCanaryTest {

    @Test
    void withoutTheCounterOfSlowProbesTheTailIsByOwnP99AndSaidToBe(@TempDir Path directory)
            throws Exception {
        assertThat(written(directory, Map.of(), false, 0))
                .contains(
                        "- **Tail**: This canary does not count what slow probes are made of"
                                + " (kafka\\_canary\\_slow\\_probes\\_phase\\_seconds\\_total)")
                .contains("By it: commit has the longest tail of the five phases: its own p99 is");
    }

    @Test
    void whereNoProbeWasSlowThatIsSaid(@TempDir Path directory) throws Exception {
        assertThat(written(directory, Map.of(PathPart.COMMIT, 0.0), false, 0))
                .contains("- **Tail**: No probe missed the target. By the phases' own p99: commit");
    }

    @Test
    void whatIsNotKnownOfStarvationIsSaid(@TempDir Path directory) throws Exception {
        assertThat(written(directory, Map.of(), false, 168))
                .contains("Whether the canary itself was starved is not known of 7 days");
    }

    @Test
    void latenciesOfACanaryStarvedThroughoutAreShownWithThatSaid(@TempDir Path directory)
            throws Exception {
        assertThat(written(directory, Map.of(), true, 0))
                .contains("In every block the canary's own stalls made most of the bad probes")
                .doesNotContain("Left out of the percentiles:");
    }

    private static String written(
            Path directory, Map<PathPart, Double> slow, boolean throughout, int unknown)
            throws Exception {
        Review sample = SampleReview.of("orders");
        Latency old = sample.latency();
        Latency latency =
                new Latency(
                        old.window(),
                        old.form(),
                        old.objective(),
                        old.endToEnd(),
                        old.parts(),
                        old.means(),
                        slow,
                        old.dominating(),
                        old.leaders(),
                        old.hours(),
                        old.weekdays(),
                        old.days(),
                        old.p50Trend(),
                        old.p99Trend());
        Facts told = sample.facts();
        Facts facts =
                new Facts(
                        told.blocks(),
                        told.starvedBlocks(),
                        throughout,
                        unknown,
                        told.gaps(),
                        told.settings(),
                        told.brokerSettings(),
                        told.changes(),
                        told.versions(),
                        told.clockUncertainty(),
                        told.oneWayDelay(),
                        told.copies());
        new ReportFiles(directory)
                .write(
                        new Review(
                                sample.made(),
                                sample.server(),
                                sample.cluster(),
                                sample.profile(),
                                sample.site(),
                                sample.zone(),
                                latency,
                                sample.comparison(),
                                sample.load(),
                                sample.incidents(),
                                facts,
                                sample.warnings()));
        return Files.readString(directory.resolve("report.md"));
    }
}
