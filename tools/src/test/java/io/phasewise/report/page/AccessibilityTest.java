/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.file.JarResource;
import io.phasewise.report.document.HtmlWriter;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What who cannot see the page, or not well, needs of both kinds of report: WCAG 2.1's criteria
 * 1.1.1, 1.3.1, 1.4.3, 1.4.11, 2.4.1 and 3.1.1, as far as they can be told from the file.
 */
@ParameterizedClass(name = "{index}")
@MethodSource("pages")
class AccessibilityTest {

    private static final double TEXT = 4.5;
    private static final double GRAPHICS = 3;

    @Parameter
    String page;

    static List<String> pages() throws IOException {
        return List.of(
                HtmlWriter.written(ReviewDocument.of(SampleReview.review())),
                HtmlWriter.written(FleetDocument.of(SampleReview.fleet())));
    }

    @Test
    void thePageHasALanguageATitleAndOneMainPart() {
        assertThat(page).contains("<html lang=\"en\">").containsPattern("<title>[^<]+</title>");
        assertThat(found(page, "<main>")).hasSize(1);
        assertThat(page).contains("<a class=\"skip\" href=\"#verdict\">");
    }

    @Test
    void headingsAreInOrder() {
        List<Integer> levels = found(page, "<h([1-6])").stream()
                .map(h -> Integer.parseInt(h.group(1)))
                .toList();
        assertThat(levels).startsWith(1);
        assertThat(levels.stream().filter(level -> level == 1)).hasSize(1);
        for (int i = 1; i < levels.size(); i++) {
            assertThat(levels.get(i) - levels.get(i - 1)).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void everyTableHasACaptionAndEveryHeaderSaysWhatItHeads() {
        assertThat(found(page, "<caption>[^<]+</caption>"))
                .hasSameSizeAs(found(page, "<table>"))
                .isNotEmpty();
        assertThat(found(page, "<th(?!ead)[ >]"))
                .hasSameSizeAs(found(page, "<th scope=\"(col|row)\"( class=\"text\")?>"));
    }

    @Test
    void everyChartIsToldInWords() {
        List<MatchResult> figures =
                found(page, "<figure aria-label=\"([^\"]{20,})\" role=\"group\" tabindex=\"0\">\\s*<svg ");
        assertThat(figures).hasSameSizeAs(found(page, "<svg ")).isNotEmpty();
        assertThat(found(page, "<svg [^>]*role=\"presentation\"")).hasSameSizeAs(figures);
    }

    @Test
    void whatIsReferredToIsThereOnce() {
        List<String> ids =
                found(page, " id=\"([^\"]+)\"").stream().map(id -> id.group(1)).toList();
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(found(page, "(?:aria-labelledby=\"|href=\"#)([^\"]+)\"").stream()
                        .map(each -> each.group(1)))
                .isSubsetOf(ids);
    }

    @Test
    void nothingIsFetchedAndNothingRuns() {
        assertThat(page)
                .doesNotContainPattern("(?i)<(script|link|img|iframe|object|embed|base)\\b")
                .doesNotContainPattern("(?i)(src|href)=\"(?!#)")
                .doesNotContainPattern("(?i)@import|url\\(|\\son[a-z]+=\"");
    }

    @Test
    void textAndChartsStandOutFromWhatIsBehindThem() {
        String style = JarResource.text(HtmlWriter.class, "report.css");
        Map<String, String> colours = new HashMap<>();
        found(style, "--(\\w+): (#[0-9a-f]+)").forEach(c -> colours.put(c.group(1), c.group(2)));
        String paper = colours.get("paper");
        for (String text : List.of("ink", "soft")) {
            assertThat(contrast(colours.get(text), paper)).as(text).isGreaterThan(TEXT);
        }
        assertThat(contrast(colours.get("ink"), colours.get("warn"))).isGreaterThan(TEXT);
        for (String name : List.of("good", "bad")) {
            assertThat(contrast(colours.get(name), paper)).as(name).isGreaterThan(GRAPHICS);
        }
        List<MatchResult> links = found(style, "\\na \\{ color: (#[0-9a-f]+)");
        assertThat(links).hasSize(1);
        assertThat(contrast(links.get(0).group(1), paper)).as("links").isGreaterThan(TEXT);
        List<MatchResult> series = found(style, "\\.(series\\d) \\{ fill: (#[0-9a-f]+)");
        assertThat(series).hasSize(4);
        for (MatchResult each : series) {
            assertThat(contrast(each.group(2), paper)).as(each.group(1)).isGreaterThan(GRAPHICS);
        }
    }

    /** The ratio of WCAG 2.1, 1 to 21. */
    private static double contrast(String one, String other) {
        double a = luminance(one) + 0.05;
        double b = luminance(other) + 0.05;
        return Math.max(a, b) / Math.min(a, b);
    }

    private static double luminance(String colour) {
        String hex = colour.length() == 4 ? colour.replaceAll("([0-9a-f])", "$1$1") : colour;
        double[] weights = {0.2126, 0.7152, 0.0722};
        double sum = 0;
        for (int i = 0; i < 3; i++) {
            double part = Integer.parseInt(hex.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
            sum += weights[i] * (part <= 0.03928 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
        }
        return sum;
    }

    private static List<MatchResult> found(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        return matcher.results().toList();
    }
}
