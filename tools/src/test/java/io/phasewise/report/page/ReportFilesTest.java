/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.report.document.MarkdownWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a report: whole, self-contained, and safe with whatever a label holds. */
class ReportFilesTest {

    @Test
    void threeFilesAreWrittenInPlaceOfThoseBeforeAndNothingElse(@TempDir Path directory) throws Exception {
        Path out = directory.resolve("a/b");
        Files.writeString(Files.createDirectories(out).resolve("report.html"), "old");
        List<Path> files = new ReportFiles(out).write(SampleReview.review());
        assertThat(files)
                .containsExactly(out.resolve("report.html"), out.resolve("report.md"), out.resolve("report.json"));
        try (var all = Files.list(out)) {
            assertThat(all).hasSize(3);
        }
        assertThat(files.get(0)).content().contains("Capacity review of orders");
        JsonNode rare = new ObjectMapper().readTree(files.get(2).toFile()).at("/latency/endToEnd/6");
        assertThat(rare.path("p").asDouble()).isEqualTo(0.9999);
        assertThat(rare.path("low").isNull()).isTrue();
    }

    @Test
    void whatCannotBeWrittenLeavesNothingBehind(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "good");
        assertThatThrownBy(() -> new ReportFiles(file).write(SampleReview.review()))
                .isInstanceOf(IOException.class);
        assertThat(file).hasContent("good");
    }

    @Test
    void whatALabelHoldsIsText(@TempDir Path directory) throws Exception {
        new ReportFiles(directory).write(SampleReview.review(Map.of("/cluster", "<script>alert(1)</script>&\"|_")));
        String html = Files.readString(directory.resolve("report.html"));
        assertThat(html)
                .doesNotContain("<script")
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;|_")
                .contains("default-src 'none'")
                .contains("99.50\u00a0% [99.40, 99.60\u00a0%]")
                .contains("<td>5.00\u00a0ms <span class=\"interval\">[4.75, 5.30]</span></td>")
                .contains("<code>--compare-from</code>")
                .contains("<th scope=\"col\" class=\"text\">Suspect</th>")
                .contains("<th scope=\"col\">Bad probes</th>");
        assertThat(Files.readString(directory.resolve("report.md")))
                .contains("# Capacity review of &lt;script>alert(1)&lt;/script>&amp;\"\\|\\_");
    }

    /** What people read, word by word: where it was changed on purpose, so is the file. */
    @Test
    void theMarkdownSaysWhatIsExpected() throws Exception {
        assertThat(MarkdownWriter.written(ReviewDocument.of(SampleReview.review())))
                .isEqualTo(SampleReview.text("review.md"));
    }

    @Test
    void theVerdictOnAFleetNamesTheWorstTheTotalsAndWhatMayBeMissing() throws Exception {
        assertThat(MarkdownWriter.written(FleetDocument.of(SampleReview.fleet())))
                .contains(
                        "# Capacity review of 4 clusters (prod-.\\*)",
                        "- **Objective**: Missed by 1 of 3 clusters: cluster-0 (150.0 % of its error budget used).",
                        "- **Slowest**: cluster-0 has the highest p99 end to end: 50.0 ms [",
                        "- **Size**: 177 brokers, 17,700 partitions; throughput in: 177 MB/s.",
                        "- **Not measured**: 1 cluster: dark.",
                        "- **Data**: The server's answers may not be whole: any figure here may"
                                + " lack data. See the facts.",
                        "It said: receive series from sidecar-b: connection refused",
                        "| dark | no canary's data in the window | 3 |",
                        "| cluster-0 | missed: 99 % within 50 ms | 150.0 % |");
    }
}
