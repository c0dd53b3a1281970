/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.statistics.Summary;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The report's drawings, as SVG that needs nothing else; what they show is the caller's. */
final class Charts {
    private static final int WIDTH = 760;
    private static final int LEFT = 60;
    private static final int RIGHT = 34;
    private static final int TOP = 12;

    /** Told apart by readers with any colour vision (Okabe and Ito 2008). */
    private static final List<String> LINES =
            List.of(
                    "#1f2328", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
                    "#9198a1");

    private Charts() {}

    /** The colour of the variant with that number. */
    static String colour(int variant) {
        return LINES.get(variant % LINES.size());
    }

    /**
     * The share of probes that took longer, by latency, both on logarithmic scales, so that a tail
     * of one in a thousand is as visible as the middle.
     *
     * @param latencies by variant, milliseconds; infinite ones took longer than any that are drawn
     */
    static String tails(Map<String, double[]> latencies) {
        int height = 340;
        int bottom = height - 40;
        double least = Double.MAX_VALUE;
        double most = 0;
        int probes = 1;
        for (double[] each : latencies.values()) {
            double[] drawn = Arrays.stream(each).filter(Double::isFinite).toArray();
            least = Math.min(least, Arrays.stream(drawn).min().orElse(least));
            most = Math.max(most, Arrays.stream(drawn).max().orElse(most));
            probes = Math.max(probes, each.length);
        }
        double from = Math.floor(Math.log10(Math.max(least, 0.01)));
        double to = Math.ceil(Math.log10(Math.max(most, 0.02)));
        double depth = Math.ceil(Math.log10(probes));
        StringBuilder svg = begin(height, "Share of probes that took longer, by latency");
        for (double decade = from; decade <= to; decade++) {
            double x = x(decade, from, to);
            line(svg, x, TOP, x, bottom, "#d1d9e0", 1);
            text(svg, x, bottom + 18, "middle", plain(Math.pow(10, decade)) + " ms");
        }
        for (double decade = 0; decade <= depth; decade++) {
            double y = TOP + (bottom - TOP) * decade / depth;
            line(svg, LEFT, y, WIDTH - RIGHT, y, "#d1d9e0", 1);
            text(svg, LEFT - 6, y + 4, "end", plain(100 * Math.pow(10, -decade)) + " %");
        }
        int number = 0;
        for (double[] each : latencies.values()) {
            double[] sorted = each.clone();
            Arrays.sort(sorted);
            StringBuilder points = new StringBuilder();
            for (int i = 0;
                    i < sorted.length && Double.isFinite(sorted[i]);
                    i = next(i, sorted.length)) {
                double share = (sorted.length - i) / (double) sorted.length;
                double x = x(Math.log10(Math.max(sorted[i], 0.01)), from, to);
                double y = TOP + (bottom - TOP) * -Math.log10(share) / depth;
                points.append(n(x)).append(',').append(n(y)).append(' ');
            }
            svg.append("<polyline fill='none' stroke-width='1.6' stroke='")
                    .append(colour(number++))
                    .append("' points='")
                    .append(points)
                    .append("'/>\n");
        }
        return svg.append("</svg>\n").toString();
    }

    /** Closer together towards the tail; some hundreds of points are enough for any number. */
    private static int next(int i, int length) {
        return i + Math.max(1, (length - i) / 100);
    }

    private static double x(double decade, double from, double to) {
        return LEFT + (WIDTH - LEFT - RIGHT) * (decade - from) / (to - from);
    }

    /** Means of the phases as bars, one for each variant: means add up, percentiles do not. */
    static String phases(List<Summary> summaries) {
        int row = 34;
        int height = TOP + row * summaries.size() + 30;
        // Some 7 pixels a letter.
        int begin =
                24
                        + 7
                                * summaries.stream()
                                        .mapToInt(each -> each.variant().length())
                                        .max()
                                        .orElse(0);
        double most =
                summaries.stream()
                        .mapToDouble(Summary::mean)
                        .filter(Double::isFinite)
                        .max()
                        .orElse(1);
        StringBuilder svg = begin(height, "Mean of each phase, by variant");
        double y = TOP;
        for (Summary each : summaries) {
            text(svg, begin - 8, y + 16, "end", each.variant());
            y += row;
            if (Double.isNaN(each.mean())) {
                text(svg, begin + 6, y - row + 16, "start", "none came back");
                continue;
            }
            double x = begin;
            for (Map.Entry<Phase, Double> phase : each.phases().entrySet()) {
                double width = (WIDTH - begin - 80) * phase.getValue() / most;
                svg.append(
                        String.format(
                                Locale.ROOT,
                                "<rect x='%s' y='%s' width='%s' height='22' fill='%s'><title>%s"
                                        + " %.2f ms</title></rect>%n",
                                n(x),
                                n(y - row),
                                n(width),
                                phase.getKey().colour(),
                                phase.getKey().label(),
                                phase.getValue()));
                x += width;
            }
            text(
                    svg,
                    x + 6,
                    y - row + 16,
                    "start",
                    String.format(Locale.ROOT, "%.2f ms", each.mean()));
        }
        double x = begin;
        for (Phase phase : Phase.values()) {
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<rect x='%s' y='%s' width='11' height='11' fill='%s'/>%n",
                            n(x),
                            n(y + 4),
                            phase.colour()));
            text(svg, x + 15, y + 14, "start", phase.label());
            x += 90;
        }
        return svg.append("</svg>\n").toString();
    }

    /** The median of every turn, in the order of the repeats. */
    static String turns(List<Summary> summaries) {
        int height = 200;
        int bottom = height - 30;
        double most =
                round(
                        summaries.stream()
                                .flatMap(each -> each.medians().stream())
                                .mapToDouble(Double::doubleValue)
                                .filter(Double::isFinite)
                                .max()
                                .orElse(1));
        StringBuilder svg = begin(height, "Median of every turn");
        for (int i = 0; i <= 4; i++) {
            double y = bottom - (bottom - TOP) * i / 4.0;
            line(svg, LEFT, y, WIDTH - RIGHT, y, "#d1d9e0", 1);
            text(svg, LEFT - 6, y + 4, "end", plain(most * i / 4));
        }
        int repeats = summaries.get(0).medians().size();
        for (int repeat = 0; repeat < repeats; repeat++) {
            double x = LEFT + (WIDTH - LEFT - RIGHT) * (repeat + 0.5) / repeats;
            text(svg, x, bottom + 18, "middle", "repeat " + (repeat + 1));
            for (int variant = 0; variant < summaries.size(); variant++) {
                double shift = 9 * (variant - (summaries.size() - 1) / 2.0);
                double median = summaries.get(variant).medians().get(repeat);
                // More than half of a turn's probes that did not come back are off the scale.
                double y = bottom - (bottom - TOP) * Math.min(1, median / most);
                svg.append(
                        String.format(
                                Locale.ROOT,
                                "<circle cx='%s' cy='%s' r='4' fill='%s'/>%n",
                                n(x + shift),
                                n(y),
                                colour(variant)));
            }
        }
        return svg.append("</svg>\n").toString();
    }

    /** The next greater number whose quarters are short to write. */
    static double round(double most) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(most, 1e-3))));
        for (double step : new double[] {1, 2, 4, 6, 8}) {
            if (step * power >= most) {
                return step * power;
            }
        }
        return 10 * power;
    }

    private static StringBuilder begin(int height, String title) {
        return new StringBuilder(
                String.format(
                        Locale.ROOT,
                        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %1$d %2$d'"
                                + " width='%1$d' height='%2$d' font-size='12' role='img'>"
                                + "<title>%3$s</title>%n",
                        WIDTH,
                        height,
                        Html.escaped(title)));
    }

    private static void line(
            StringBuilder svg, double x1, double y1, double x2, double y2, String colour, int w) {
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<line x1='%s' y1='%s' x2='%s' y2='%s' stroke='%s' stroke-width='%d'/>%n",
                        n(x1),
                        n(y1),
                        n(x2),
                        n(y2),
                        colour,
                        w));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<text x='%s' y='%s' text-anchor='%s' fill='#1f2328'>%s</text>%n",
                        n(x),
                        n(y),
                        anchor,
                        Html.escaped(text)));
    }

    private static String plain(double value) {
        String text = String.format(Locale.ROOT, "%.4f", value);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }

    private static String n(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
