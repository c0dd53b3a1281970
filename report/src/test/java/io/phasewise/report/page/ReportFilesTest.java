/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a report: whole, self-contained, and safe with whatever a label holds. */
class ReportFilesTest {

    @Test
    void threeFilesAreWrittenAndNothingElse(@TempDir Path directory) throws Exception {
        Path out = directory.resolve("a/b");
        List<Path> files = new ReportFiles(out).write(SampleReview.of("orders"));
        assertThat(files)
                .containsExactly(
                        out.resolve("report.html"),
                        out.resolve("report.md"),
                        out.resolve("report.json"));
        try (var all = Files.list(out)) {
            assertThat(all).hasSize(3);
        }
    }

    @Test
    void aReportThatIsThereIsReplaced(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("report.html"), "old");
        new ReportFiles(directory).write(SampleReview.of("orders"));
        assertThat(directory.resolve("report.html"))
                .content()
                .contains("Capacity review of orders");
    }

    @Test
    void whatCannotBeWrittenLeavesNothingBehind(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "good");
        assertThatThrownBy(() -> new ReportFiles(file).write(SampleReview.of("orders")))
                .isInstanceOf(IOException.class);
        assertThat(file).hasContent("good");
    }

    @Test
    void theHtmlLoadsNothingAndRunsNothing(@TempDir Path directory) throws Exception {
        new ReportFiles(directory).write(SampleReview.of("<script>alert(1)</script>&\"|_"));
        String html = Files.readString(directory.resolve("report.html"));
        assertThat(html)
                .doesNotContain("<script", "<link", "<img", "<iframe", "@import", "url(")
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;|_")
                .contains("default-src 'none'")
                .contains("lang=\"en\"");
        assertThat(Files.readString(directory.resolve("report.html")))
                .contains("99.50\u00a0% [99.40, 99.60\u00a0%]")
                .contains("<td>5.00\u00a0ms <span class=\"interval\">[4.75, 5.30]</span></td>")
                .contains("<code>--compare-from</code>")
                .contains("<th scope=\"col\" class=\"text\">Suspect</th>")
                .contains("<th scope=\"col\">Bad probes</th>");
        assertThat(Files.readString(directory.resolve("report.md")))
                .contains("# Capacity review of &lt;script>alert(1)&lt;/script>&\"\\|\\_");
    }

    @Test
    void theJsonHoldsTheNumbers(@TempDir Path directory) throws Exception {
        new ReportFiles(directory).write(SampleReview.of("orders"));
        JsonNode review = new ObjectMapper().readTree(directory.resolve("report.json").toFile());
        assertThat(review.path("cluster").asText()).isEqualTo("orders");
        assertThat(review.path("warnings").path("answers").asInt()).isEqualTo(2);
        JsonNode rare = review.path("latency").path("endToEnd").get(6);
        assertThat(rare.path("p").asDouble()).isEqualTo(0.9999);
        assertThat(rare.path("low").isNull()).isTrue();
        assertThat(review.path("latency").path("window").path("block").asText()).isEqualTo("PT1H");
    }

    @Test
    void dataThatMayBeMissingOrThereTwiceIsSaid(@TempDir Path directory) throws Exception {
        new ReportFiles(directory).write(SampleReview.of("orders"));
        assertThat(Files.readString(directory.resolve("report.md")))
                .contains(
                        "- **Data**: The server's answers may not be whole: any figure here"
                                + " may lack data. Probes may be counted more than once. See the"
                                + " facts.")
                .contains(
                        "> **Note.** The server's answers may not be whole, so that data may"
                                + " be missing from any figure here. It said: receive series from"
                                + " sidecar-b: connection refused")
                .contains(
                        "from the same address; they differ in prometheus\\_replica. If two"
                                + " servers scraped one canary");
    }

    @Test
    void theVerdictIsInPlainWords(@TempDir Path directory) throws Exception {
        new ReportFiles(directory).write(SampleReview.of("orders"));
        assertThat(Files.readString(directory.resolve("report.md")))
                .contains(
                        "- **Objective**: Kept. 99.50 % [99.40, 99.60 %] of 1,000,000 probes within"
                                + " 50 ms where 99 % were promised; 50.0 % of the error budget")
                .contains(
                        "- **Tail**: The probes that missed the target spent the largest share of"
                                + " their time in commit (90.0 %).")
                .contains("| end to end | 5.00 ms")
                .contains("- **Worst broker**: Broker 3 stands out")
                .contains(
                        "p99 would break the target at 60.0 % [58.0, 62.0 %] busy handlers: load"
                            + " could grow by a factor of 1.33; at the growth of this window until"
                            + " 2027-01-05 (between 2026-12-17 and 2027-03-03).")
                .contains(
                        "Uneven (one broker has more than half as much again as the mean): Bytes"
                                + " in")
                .contains("p99 end to end changed by +25 % [")
                .contains("with it p99 of commit +25 %")
                .contains(
                        "| commit +200 ms | broker 2: all other leaders waited for a follower |"
                                + " SLOFastBurn | restarted: broker 2; 1 leader change |")
                .contains("Settings changed within the window (num\\_io\\_threads 8 -> 16; listed")
                .contains("| num\\_io\\_threads 8 -> 16 | 2 brokers | 2026-11-01 00:00 |")
                .contains(
                        "End to end that begins with p99.99: its interval takes 36,887 independent"
                                + " ones, and these are worth 20,000")
                .contains("30.0 ms [unknown]");
    }
}
