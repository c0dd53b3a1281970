/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.page.Document.Figure;
import io.phasewise.report.review.Review.Slot;
import io.phasewise.report.stats.Estimate;
import io.phasewise.report.stats.QueueCurve;
import io.phasewise.report.stats.QueueCurve.Point;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/** The charts of the report. What they show also stands in tables; a chart is for the eye. */
final class Charts {

    private static final int WIDTH = 720;
    private static final int LEFT = 96;
    private static final int RIGHT = 24;
    private static final int ROW = 24;
    private static final int LABEL = 4;
    private static final int LEGEND = 20;
    private static final int LEGEND_ENTRY = 64;

    /** The same percentile has the same colour in every chart. */
    private static final List<Double> COLOURED = List.of(0.5, 0.9, 0.99, 0.999);

    private Charts() {}

    /** A row of a chart of percentiles. */
    record Row(String name, List<Estimate> estimates) {}

    /** Percentiles with their intervals, a row for each of several things, on one axis. */
    static Figure whiskers(String caption, List<Row> rows) {
        List<Double> all = new ArrayList<>();
        for (Row row : rows) {
            row.estimates().forEach(each -> all.addAll(shown(each)));
        }
        int top = LEGEND + 4;
        int bottom = top + 4 + ROW * rows.size();
        Svg svg = new Svg(WIDTH, bottom + 24);
        legend(
                svg,
                rows.stream()
                        .flatMap(row -> row.estimates().stream())
                        .map(Estimate::p)
                        .distinct()
                        .sorted()
                        .toList());
        LogAxis axis = axis(all, LEFT, WIDTH - RIGHT);
        for (double tick : axis.ticks()) {
            svg.line("grid", axis.at(tick), top, axis.at(tick), bottom);
            svg.label("tick", "middle", axis.at(tick), bottom + 16, written(tick));
        }
        double y = top + ROW / 2.0;
        for (Row row : rows) {
            svg.label("name", "end", LEFT - 8, y + LABEL, row.name());
            for (Estimate each : row.estimates()) {
                String style = colour(each.p());
                if (each.finite()) {
                    double low = axis.at(each.low());
                    double high = Math.max(low + 1, axis.at(each.high()));
                    svg.box(style + " band", low, y - 6, high - low, 12);
                }
                if (Double.isFinite(each.value())) {
                    svg.dot(style, axis.at(each.value()), y, 3);
                }
            }
            y += ROW;
        }
        return new Figure(
                caption,
                "Dots with their 95 % intervals on a logarithmic axis, a dot alone where the"
                        + " interval is unknown; the figures are in the table.",
                svg.toString());
    }

    /** What of an estimate the axis has to hold. */
    private static List<Double> shown(Estimate estimate) {
        return estimate.finite()
                ? List.of(estimate.low(), estimate.high())
                : Double.isFinite(estimate.value()) ? List.of(estimate.value()) : List.of();
    }

    private static String colour(double p) {
        return "series" + Math.max(0, COLOURED.indexOf(p));
    }

    /** Latencies upwards: a line across the chart for each of the axis. */
    private static void levels(Svg svg, LogAxis axis) {
        for (double tick : axis.ticks()) {
            svg.line("grid", LEFT, axis.at(tick), WIDTH - RIGHT, axis.at(tick));
            svg.label("tick", "end", LEFT - 6, axis.at(tick) + LABEL, written(tick));
        }
    }

    /** The line that latencies should stay below, if there is one, and its name at an end of it. */
    private static void target(Svg svg, LogAxis axis, double target, String anchor, double x) {
        if (target > 0) {
            svg.line("target", LEFT, axis.at(target), WIDTH - RIGHT, axis.at(target));
            svg.label("tick", anchor, x, axis.at(target) - 4, "target " + written(target));
        }
    }

    private static String written(double seconds) {
        return Words.chosen(Words.latency(seconds));
    }

    /** Which colour is which percentile, above the chart. */
    private static void legend(Svg svg, List<Double> levels) {
        double x = LEFT;
        for (double p : levels) {
            svg.dot(colour(p), x + 4, LEGEND / 2.0, 4);
            svg.label("name", "start", x + 14, LEGEND / 2.0 + LABEL, Words.level(p));
            x += LEGEND_ENTRY;
        }
    }

    /** p50 and p99 from slot to slot, with bands as wide as the intervals. */
    static Figure course(String caption, List<Slot> slots, double target) {
        int height = 220 + LEGEND;
        int top = LEGEND + 8;
        int bottom = height - 28;
        List<Double> all = new ArrayList<>();
        for (Slot slot : slots) {
            for (Estimate each : List.of(slot.p50(), slot.p99())) {
                all.addAll(shown(each));
            }
        }
        if (target > 0) {
            all.add(target);
        }
        Svg svg = new Svg(WIDTH, height);
        legend(svg, List.of(0.5, 0.99));
        LogAxis axis = axis(all, bottom, top);
        levels(svg, axis);
        double step = (WIDTH - RIGHT - LEFT) / (double) slots.size();
        int every = Math.max(1, (int) Math.ceil(slots.size() / 8.0));
        for (int i = 0; i < slots.size(); i += every) {
            svg.label("tick", "middle", LEFT + step * (i + 0.5), bottom + 18, slots.get(i).name());
        }
        band(svg, axis, step, slots.stream().map(Slot::p50).toList(), colour(0.5));
        band(svg, axis, step, slots.stream().map(Slot::p99).toList(), colour(0.99));
        target(svg, axis, target, "end", WIDTH - RIGHT);
        return new Figure(
                caption,
                "p50 (lower line) and p99 (upper line) with their 95 % intervals, on a logarithmic"
                        + " axis.",
                svg.toString());
    }

    private static void band(
            Svg svg, LogAxis axis, double step, List<Estimate> estimates, String style) {
        List<Double> points = new ArrayList<>();
        for (int i = 0; i < estimates.size(); i++) {
            Estimate each = estimates.get(i);
            double x = LEFT + step * (i + 0.5);
            if (each.finite()) {
                double top = axis.at(each.high());
                svg.box(
                        style + " band",
                        x - Math.min(4, step / 3),
                        top,
                        Math.min(8, step / 1.5),
                        Math.max(1, axis.at(each.low()) - top));
            }
            if (Double.isFinite(each.value())) {
                points.add(x);
                points.add(axis.at(each.value()));
            }
        }
        svg.path(style + " line", points.stream().mapToDouble(d -> d).toArray());
    }

    /** Hours of a week, the darker the slower. */
    static Figure week(String caption, double[][] week) {
        String[] days = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
        double[] all =
                Arrays.stream(week)
                        .flatMapToDouble(DoubleStream::of)
                        .filter(Double::isFinite)
                        .sorted()
                        .toArray();
        double least = all.length == 0 ? 1 : all[0];
        double most = all.length == 0 ? 1 : all[all.length - 1];
        double step = (WIDTH - RIGHT - LEFT) / 24.0;
        Svg svg = new Svg(WIDTH, 7 * ROW + 48);
        for (int day = 0; day < 7; day++) {
            svg.label("name", "end", LEFT - 8, day * ROW + ROW / 2.0 + LABEL, days[day]);
            for (int hour = 0; hour < 24; hour++) {
                double value = week[day][hour];
                if (Double.isFinite(value)) {
                    double share =
                            most > least ? Math.log(value / least) / Math.log(most / least) : 0;
                    svg.shade(
                            LEFT + hour * step, day * ROW, step - 1, ROW - 1, 0.08 + 0.92 * share);
                } else {
                    svg.box("none", LEFT + hour * step, day * ROW, step - 1, ROW - 1);
                }
            }
        }
        for (int hour = 0; hour < 24; hour += 3) {
            svg.label("tick", "middle", LEFT + (hour + 0.5) * step, 7 * ROW + 16, hour + ":00");
        }
        svg.label(
                "tick",
                "start",
                LEFT,
                7 * ROW + 38,
                "lightest " + Words.latency(least) + ", darkest " + Words.latency(most));
        return new Figure(
                caption,
                "Seven rows of 24 boxes; the darker, the higher p99 in that hour.",
                svg.toString());
    }

    /** Times against utilisation, with the curve where there is one. */
    static Figure scatter(String caption, List<Point> points, QueueCurve curve, double target) {
        int height = 260;
        int bottom = height - 32;
        List<Double> all = new ArrayList<>(points.stream().map(Point::seconds).toList());
        if (target > 0) {
            all.add(target);
        }
        double highest = all.stream().mapToDouble(d -> d).filter(Double::isFinite).max().orElse(1);
        LogAxis axis = axis(all, bottom, 8);
        Svg svg = new Svg(WIDTH, height);
        levels(svg, axis);
        double width = WIDTH - RIGHT - LEFT;
        for (int percent = 0; percent <= 100; percent += 20) {
            svg.label("tick", "middle", LEFT + width * percent / 100, bottom + 18, percent + " %");
        }
        for (Point point : points) {
            if (point.seconds() > 0 && Double.isFinite(point.seconds())) {
                svg.dot(
                        "series0 faint",
                        LEFT + width * point.utilisation(),
                        axis.at(point.seconds()),
                        2);
            }
        }
        target(svg, axis, target, "start", LEFT + 4);
        if (curve != null) {
            List<Double> path = new ArrayList<>();
            for (double busy = curve.least();
                    busy < Math.min(0.99, curve.farthest());
                    busy += 0.01) {
                if (curve.at(busy) > 0 && curve.at(busy) <= highest) {
                    path.add(LEFT + width * busy);
                    path.add(axis.at(curve.at(busy)));
                }
            }
            svg.path("series2 line", path.stream().mapToDouble(d -> d).toArray());
        }
        return new Figure(
                caption,
                curve == null
                        ? "Dots; the data support no curve."
                        : "Dots and a fitted curve that rises the steeper the busier the handlers"
                                + " are.",
                svg.toString());
    }

    /** Of what is below {@link Estimate#LEAST_SECONDS} the axis says no more than that. */
    private static LogAxis axis(List<Double> values, double begin, double end) {
        double[] positive =
                values.stream()
                        .filter(d -> d > 0 && Double.isFinite(d))
                        .mapToDouble(d -> Math.max(Estimate.LEAST_SECONDS, d))
                        .toArray();
        return positive.length == 0
                ? new LogAxis(0.001, 1, begin, end)
                : new LogAxis(
                        DoubleStream.of(positive).min().orElseThrow(),
                        DoubleStream.of(positive).max().orElseThrow(),
                        begin,
                        end);
    }
}
