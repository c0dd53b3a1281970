/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.report.review.Fleet;
import io.phasewise.report.review.Fleet.Member;
import io.phasewise.report.review.Fleet.Size;
import io.phasewise.report.review.Fleet.Unmeasured;
import io.phasewise.report.review.Form;
import io.phasewise.report.review.Review.Objective;
import io.phasewise.report.review.Window;
import io.phasewise.report.source.Warnings;
import io.phasewise.report.stats.Estimate;
import io.phasewise.report.stats.Share;
import io.phasewise.report.stats.Trend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The review of many clusters as people read it. */
class FleetDocumentTest {

    private static final Instant FROM = Instant.parse("2026-11-01T00:00:00Z");

    @Test
    void theVerdictNamesTheWorstAndTheTotals(@TempDir Path out) throws Exception {
        new ReportFiles(out).write(fleet(12));
        assertThat(Files.readString(out.resolve("report.md")))
                .contains("# Capacity review of 14 clusters (prod-.\\*)")
                .contains(
                        "- **Objective**: Missed by 1 of 13 clusters: cluster-0 (150.0 % of its"
                                + " error budget used).")
                .contains("- **Slowest**: cluster-0 has the highest p99 end to end: 50.0 ms [")
                .contains("- **Size**: 325 brokers, 32,500 partitions; throughput in: 325 MB/s.")
                .contains("- **Not measured**: 1 cluster: dark.")
                .contains("| dark | no canary's data in the window | 3 |")
                .contains("| cluster-0 | missed: 99 % within 50 ms | 150.0 % |");
    }

    @Test
    void dataThatMayBeMissingOrThereTwiceIsSaid(@TempDir Path out) throws Exception {
        new ReportFiles(out).write(fleet(12));
        assertThat(Files.readString(out.resolve("report.md")))
                .contains(
                        "- **Data**: The server's answers may not be whole: any figure here"
                                + " may lack data. Probes may be counted more than once. See the"
                                + " facts.")
                .contains("It said: receive series from sidecar-b: connection refused")
                .contains("Series of the canary of cluster-2 are on the server more than once");
    }

    @Test
    void theThreeFilesAreWhole(@TempDir Path out) throws Exception {
        new ReportFiles(out).write(fleet(12));
        JsonNode json = new ObjectMapper().readTree(out.resolve("report.json").toFile());
        assertThat(json.path("members")).hasSize(13);
        assertThat(json.path("members").get(0).path("p99").path("value").asDouble())
                .isEqualTo(0.05);
        assertThat(json.path("total").path("brokers").asDouble()).isEqualTo(325);
        assertThat(Files.readString(out.resolve("report.html")))
                .contains("<svg", "</html>")
                .doesNotContain("<script", "NaN");
    }

    /** So many measured clusters and one more, of which the first is worst, and one unmeasured. */
    static Fleet fleet(int more) {
        List<Member> members =
                IntStream.rangeClosed(0, more)
                        .mapToObj(
                                i ->
                                        new Member(
                                                "cluster-" + i,
                                                Form.RECORDED_NATIVE,
                                                new Objective(
                                                        0.05,
                                                        0.99,
                                                        1e6,
                                                        i == 0 ? 15_000 : 100,
                                                        3,
                                                        new Share(
                                                                i == 0 ? 0.985 : 0.9999,
                                                                0.98,
                                                                0.99995),
                                                        i == 0 ? 1.5 : 0.01,
                                                        1),
                                                new Estimate(0.5, 0.004, 0.0039, 0.0041, 1e5, 5),
                                                new Estimate(
                                                        0.99,
                                                        i == 0 ? 0.05 : 0.01,
                                                        i == 0 ? 0.048 : 0.009,
                                                        i == 0 ? 0.052 : 0.011,
                                                        1e5,
                                                        368),
                                                new Trend(1.001, 0.999, 1.003, 7),
                                                0,
                                                0,
                                                0,
                                                new TreeSet<>(
                                                        i == 2 ? Set.of("replica") : Set.of()),
                                                size(i)))
                        .toList();
        return new Fleet(
                FROM.plus(Duration.ofDays(7)),
                "http://prometheus",
                "prod-.*",
                "default",
                "fra-1",
                "UTC",
                Window.fine(FROM, FROM.plus(Duration.ofDays(7))),
                members,
                List.of(
                        new Unmeasured(
                                "dark",
                                "no canary's data in the window",
                                new Size(3, 300, 3e6, 3e3))),
                new Size(325, 32_500, 325e6, 325e3),
                new Warnings(1, List.of("receive series from sidecar-b: connection refused")));
    }

    private static Size size(int i) {
        int brokers = 3 + 90 / (i + 1);
        return new Size(brokers, 100.0 * brokers, 1e6 * brokers, 1e3 * brokers);
    }
}
