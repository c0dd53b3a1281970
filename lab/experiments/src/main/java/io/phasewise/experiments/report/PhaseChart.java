/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.statistics.Summary;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which phase moved, as an SVG that loads nothing: the mean of each phase, stacked, one bar for
 * each variant. Means add up, percentiles do not.
 */
final class PhaseChart {
    private static final int WIDTH = 760;
    private static final int ROW = 34;
    private static final int LETTER = 7;
    private static final String DRAWING =
            """
            <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %1$d %2$d' width='%1$d' \
            height='%2$d' font-family='sans-serif' font-size='12' role='img'>
            <title>Mean of each phase, by variant</title>
            <rect width='100%%' height='100%%' fill='#fff'/>
            %3$s</svg>
            """;

    private final StringBuilder svg = new StringBuilder();

    private PhaseChart() {}

    /** The drawing; a variant of which nothing came back has no bar. */
    static String of(List<Summary> summaries) {
        PhaseChart chart = new PhaseChart();
        double most =
                summaries.stream()
                        .mapToDouble(each -> each.endToEnd().mean())
                        .filter(Double::isFinite)
                        .max()
                        .orElse(1);
        int letters = summaries.stream().mapToInt(each -> each.variant().length()).max().orElse(0);
        int left = 24 + LETTER * letters;
        int y = 12;
        for (Summary each : summaries) {
            chart.text(left - 8, y + 16, "end", each.variant());
            double x = left;
            for (Map.Entry<Phase, Double> phase : each.phases().entrySet()) {
                if (!phase.getValue().isNaN()) {
                    double width = (WIDTH - left - 80) * phase.getValue() / most;
                    chart.box(x, y, width, 22, phase.getKey());
                    x += width;
                }
            }
            String mean = Figures.milliseconds(each.endToEnd().mean()) + " ms";
            chart.text(x + 6, y + 16, "start", mean);
            y += ROW;
        }
        for (Phase phase : Phase.values()) {
            int x = left + 90 * phase.ordinal();
            chart.box(x, y + 4, 11, 11, phase);
            chart.text(x + 15, y + 14, "start", phase.label());
        }
        return DRAWING.formatted(WIDTH, y + 30, chart.svg);
    }

    private void box(double x, int y, double width, int height, Phase phase) {
        String box = "<rect x='%.1f' y='%d' width='%.1f' height='%d' fill='%s'/>\n";
        svg.append(String.format(Locale.ROOT, box, x, y, width, height, phase.colour()));
    }

    private void text(double x, int y, String anchor, String text) {
        String line = "<text x='%.1f' y='%d' text-anchor='%s' fill='#1f2328'>%s</text>\n";
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;");
        svg.append(String.format(Locale.ROOT, line, x, y, anchor, escaped));
    }
}
