/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.file.JarResource;
import io.phasewise.report.latency.SampleWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is asked of a server that has very much, so that it has little to read. */
class QueriesTest {

    private static final Instant START = Instant.parse("2026-11-02T00:00:00Z");

    /** Scraped counters whole; recorded ones every half an hour, or at a short block's ends. */
    @ParameterizedTest
    @CsvSource({
        "PT1H,  RAW_NATIVE,       3600s",
        "PT1H,  RECORDED_NATIVE,  5399s:1800s",
        "P1D,   RECORDED_NATIVE,  88199s:1800s",
        "PT15M, RECORDED_CLASSIC, 1799s:900s"
    })
    void countersAreReadFromABlocksBeginToItsEnd(Duration block, Form form, String range) {
        assertThat(Queries.counterRange(blocks(block), form)).isEqualTo(range);
    }

    @Test
    void recordedRatesAreReadOnceInFiveMinutes() {
        Window hours = blocks(Duration.ofHours(1));
        assertThat(queries("orders").blocks("whole", hours, Form.RECORDED_CLASSIC))
                .isEqualTo("avg by (le) (300 * sum_over_time(kafka_canary:end_to_end_latency_seconds_by_cluster:rate5m"
                        + "{cluster=\"orders\",profile=\"default\"}[3599s:5m]))");
    }

    @Test
    void aNameIsAStringWhateverIsInIt() {
        assertThat(queries("a\"} or $brokers %s").selector("target"))
                .isEqualTo(
                        "kafka_canary_slo_target_seconds{job=\"kafka-canary\",cluster=\"a\\\"} or $brokers %s\",profile=\"default\"}");
    }

    /** One that another job scrapes, too, would count twice; what rules record has no job. */
    @Test
    void everySelectorOfWhatIsScrapedNamesItsJob() {
        Pattern selector = Pattern.compile("\\b((?:kafka|jvm|process)_[\\w:]+)\\{(\\$\\w+)");
        assertThat(all())
                .flatMap(query -> selector.matcher(query)
                        .results()
                        .map(found -> found.group(1) + " " + found.group(2))
                        .toList())
                .hasSizeGreaterThan(60)
                .allMatch(found -> found.matches("kafka_canary_\\w+ \\$canary")
                        || found.matches("(kafka_(?!canary)|jvm_|process_)\\w+ \\$(brokers|nodes)")
                        || found.matches("kafka_canary:\\S+ \\$recorded")
                        || found.matches("(kafka_\\w+:\\S+|kafka_suspect) \\$cluster"));
    }

    /** Two servers that scrape the same target write two series of it, of the same job. */
    @Test
    void whatIsAddedUpOrCountedIsFirstOneOfEach() {
        Pattern added = Pattern.compile("\\b(?:sum|count)(?: by \\([^)]*\\))? ?\\((?:\\$seconds \\* )?([^(]*)");
        Pattern one = Pattern.compile("avg by $|max by $|count by $");
        assertThat(all())
                .flatMap(query ->
                        added.matcher(query).results().map(m -> m.group(1)).toList())
                .hasSizeGreaterThan(30)
                .filteredOn(inner -> !one.matcher(inner).find())
                .as("but for how many leaders a partition had")
                .containsExactly("count_over_time");
        assertThat(all())
                .filteredOn(query -> query.contains("avg by (leader"))
                .allMatch(query -> query.contains("$one") || query.contains("$recorded"));
    }

    private static List<String> all() {
        return JarResource.properties(Queries.class, "queries.properties").values().stream()
                .sorted()
                .toList();
    }

    /** The pages are made from what canary, exporter and rules bring. */
    @Test
    void everySeriesThatIsAskedForIsInTheReference() throws IOException {
        String reference = "";
        for (String page : List.of("canary-metrics", "broker-metrics", "recorded-series")) {
            reference += Files.readString(Path.of("../docs/reference", page + ".md"));
        }
        Pattern series = Pattern.compile("\\b((kafka|jvm|process)_[\\w:]+?)((?<=_seconds)_(bucket|count|sum))?\\b");
        assertThat(JarResource.text(Queries.class, "queries.properties").lines())
                .filteredOn(line -> !line.startsWith("#"))
                .flatMap(line -> series.matcher(line)
                        .results()
                        .map(s -> "`" + s.group(1))
                        .toList())
                .hasSizeGreaterThan(40)
                .allMatch(reference::contains);
    }

    private static Queries queries(String cluster) {
        return Queries.of(SampleWindow.question(cluster, blocks(Duration.ofHours(1))));
    }

    private static Window blocks(Duration block) {
        return new Window(START, START.plus(Duration.ofDays(30)), block);
    }
}
