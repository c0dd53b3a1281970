/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.document.MarkdownWriter;
import io.phasewise.report.latency.Comparison;
import io.phasewise.report.latency.Comparison.Change;
import io.phasewise.report.latency.Comparison.Subject;
import io.phasewise.report.query.Form;
import io.phasewise.report.query.Window;
import io.phasewise.report.stats.Difference;
import io.phasewise.report.stats.Estimate;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said of two windows in a sentence. */
class ComparisonTest {

    private static final Instant FROM = Instant.parse("2026-11-01T00:00:00Z");
    private static final double UNTOLD = Double.NaN;

    @Test
    void whatGrewIsNamedWithThePhaseThatDid() throws IOException {
        assertThat(verdict(subject("end_to_end", 1.5, 0.99), subject("commit", 2, 0.99)))
                .contains("p99 end to end changed by +50 %", "with it p99 of commit +100 %");
    }

    @Test
    void withTooFewProbesForP99TheNextPercentileSpeaks() throws IOException {
        assertThat(verdict(subject("end_to_end", 1.5, 0.9), subject("commit", 2, 0.9)))
                .contains("p90 end to end changed by +50 %", "with it p90 of commit +100 %");
    }

    @Test
    void aPhaseThatChangedClearlyIsNamedThoughTheWholeDidNot() throws IOException {
        assertThat(verdict(subject("end_to_end", 1, 0.99), subject("produce", 5, 0.5)))
                .contains("p99 end to end shows no clear difference", "Clear all the same: p50 of produce +400 %");
    }

    @Test
    void aPhaseWhoseChangeCouldBeOneOfManyByChanceIsNotNamed() throws IOException {
        assertThat(verdict(subject("end_to_end", 1, 0.99), subject("produce", 5, 0.5, 0.06)))
                .doesNotContain("produce");
    }

    @Test
    void theWholePathIsNamedWhereItChangedAtALowerPercentile() throws IOException {
        Subject produce = subject("produce", 2, 0.99);
        List<Change> changes = new ArrayList<>(subject("", 1, 0.99).changes());
        changes.set(0, subject("", 1.5, 0.5).changes().get(0));
        assertThat(verdict(new Subject("end_to_end", changes), produce))
                .contains(
                        "p99 end to end shows no clear difference",
                        "Clear all the same: p50 end to end +50 %",
                        "p99 of produce +100 %");
    }

    @Test
    void nothingIsSaidOfNothing() throws IOException {
        assertThat(verdict(subject("end_to_end", UNTOLD, 0), subject("produce", UNTOLD, 0)))
                .endsWith("not enough comparable probes to say anything.");
    }

    private static String verdict(Subject... subjects) throws IOException {
        Comparison comparison = new Comparison(
                Window.fine(FROM, FROM.plus(Duration.ofDays(7))), Form.RAW_NATIVE, true, List.of(subjects));
        return MarkdownWriter.written(ReviewDocument.of(SampleReview.review(Map.of("/comparison", comparison))))
                .lines()
                .filter(line -> line.startsWith("- **Comparison**"))
                .findFirst()
                .orElseThrow();
    }

    /**
     * @param factor by which each percentile changed
     * @param highest percentile that can be told
     */
    private static Subject subject(String name, double factor, double highest) {
        return subject(name, factor, highest, 0);
    }

    /**
     * @param chance of each change
     */
    private static Subject subject(String name, double factor, double highest, double chance) {
        return new Subject(
                name,
                Comparison.LEVELS.stream()
                        .map(p -> new Change(difference(p, factor, p <= highest), chance))
                        .toList());
    }

    private static Difference difference(double p, double factor, boolean enough) {
        return Difference.of(told(p, 0.004, enough), told(p, 0.004 * factor, enough), 0.95);
    }

    private static Estimate told(double p, double value, boolean enough) {
        return enough
                ? new Estimate(p, value, 0.99 * value, 1.01 * value, 1e6, 10)
                : new Estimate(p, value, Double.NaN, Double.NaN, 10, 100);
    }
}
