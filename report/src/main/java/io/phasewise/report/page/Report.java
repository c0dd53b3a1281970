/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.review.Fleet;
import io.phasewise.report.review.Review;
import io.phasewise.report.stats.Estimate;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A report as people read it.
 *
 * @param text Markdown; a comment in it names a chart or says how a line of the verdict is meant
 * @param charts by the name that the text has for them
 */
record Report(String text, Map<String, Chart> charts) {

    /** More leaders, or clusters, are not drawn: the names would be too small. */
    private static final int LEADERS = 12;

    private static final int CLUSTERS = 30;

    static Report of(Review review) {
        Review.Latency latency = review.latency();
        Map<String, Chart> charts = new LinkedHashMap<>();
        Stream<Chart.Row> path = Stream.of(new Chart.Row("end to end", drawn(latency.endToEnd())));
        Stream<Chart.Row> phases =
                latency.rows().stream().map(each -> new Chart.Row(each.name(), drawn(each.levels())));
        charts.put(
                "phases",
                Chart.rows(
                        "p50, p90, p99 and p99.9 of the whole path and of each phase",
                        Stream.concat(path, phases).toList()));
        charts.put(
                "leaders",
                Chart.rows(
                        "p50, p99 and p99.9 by leader, highest p99 first",
                        latency.leaders().stream()
                                .limit(LEADERS)
                                .map(Report::row)
                                .toList()));
        double target = latency.objective().target();
        if (!latency.days().isEmpty()) {
            charts.put("days", Chart.days(latency.days(), target));
        }
        if (!review.load().points().isEmpty()) {
            charts.put("load", Chart.load(review.load(), latency.window().block(), target));
        }
        return new Report(text("review", review, review.zone()), charts);
    }

    private static Chart.Row row(Review.Leader one) {
        return new Chart.Row("broker " + one.id(), List.of(one.p50(), one.p99(), one.p999()));
    }

    static Report of(Fleet fleet) {
        List<Chart.Row> rows = fleet.members().stream()
                .limit(CLUSTERS)
                .map(each -> new Chart.Row(each.cluster(), List.of(each.p50(), each.p99())))
                .toList();
        String caption = "p50 and p99 end to end, with 95 % intervals"
                + (fleet.members().size() > CLUSTERS ? ", the worst " + CLUSTERS : "");
        return new Report(text("fleet", fleet, fleet.zone()), Map.of("clusters", Chart.rows(caption, rows)));
    }

    /** What a reader of the Markdown sees: without what only the page shows. */
    String markdown() {
        return text.replaceAll(" ?<!--.*?-->", "").replaceAll("\n{3,}", "\n\n");
    }

    String html() {
        return new HtmlPage(charts).of(text);
    }

    private static String text(String template, Object review, String zone) {
        TextFormat words = new TextFormat(ZoneId.of(zone));
        return joined(Templates.markdown(words).filled(template + ".peb", Map.of(template, review)));
    }

    /** Each paragraph, item and note on one line, each blank line once. */
    private static String joined(String template) {
        StringBuilder text = new StringBuilder();
        boolean blank = true;
        for (String line :
                template.lines().map(each -> each.strip().replaceAll(" +", " ")).toList()) {
            boolean own = line.matches("(#|\\||- |> |\\*|<!--chart).*");
            if (line.isEmpty()) {
                text.append(blank ? "" : "\n");
            } else {
                text.append(own || blank ? "\n" : " ").append(line);
            }
            blank = line.isEmpty();
        }
        return text.toString().strip() + "\n";
    }

    private static List<Estimate> drawn(List<Estimate> all) {
        return Stream.of(0.5, 0.9, 0.99, 0.999)
                .map(p -> all.get(Review.LEVELS.indexOf(p)))
                .toList();
    }
}
