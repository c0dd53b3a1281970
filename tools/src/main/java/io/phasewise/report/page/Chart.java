/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.document.Block.Figure;
import io.phasewise.report.document.Shape;
import io.phasewise.report.latency.Latency.Slot;
import io.phasewise.report.load.Load;
import io.phasewise.report.stats.Estimate;
import io.phasewise.report.stats.QueueCurve;
import io.phasewise.report.stats.QueueCurve.Point;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Draws a chart of the report; places are in pixels from the upper left corner, colours are classes
 * of the style sheet. What it shows also stands in tables; a chart is for the eye.
 */
final class Chart {

    private static final int WIDTH = 720;
    private static final int LEFT = 96;
    private static final int END = WIDTH - 24;
    private static final int ROW = 24;
    private static final int LABEL = 4;
    private static final int LEGEND = 20;

    /** The same percentile has the same colour in every chart. */
    private static final List<Double> COLOURED = List.of(0.5, 0.9, 0.99, 0.999);

    private final String caption;
    private final String alternative;
    private final int height;
    private final List<Shape> shapes = new ArrayList<>();

    /**
     * @param caption what it shows
     * @param alternative how it shows it, in words, for readers who cannot see it
     */
    private Chart(String caption, String alternative, int height) {
        this.caption = caption;
        this.alternative = alternative;
        this.height = height;
    }

    /** A row of percentiles. */
    record Row(String name, List<Estimate> estimates) {}

    /** Percentiles with their intervals, a row for each of several things, on one axis. */
    static Figure rows(String caption, List<Row> rows) {
        int top = LEGEND + 4;
        int bottom = top + 4 + ROW * rows.size();
        Chart chart = new Chart(
                caption,
                "Dots with their 95\u00a0% intervals on a logarithmic axis, a dot alone where"
                        + " the interval is unknown; the figures are in the table.",
                bottom + 24);
        List<Estimate> all =
                rows.stream().flatMap(row -> row.estimates().stream()).toList();
        chart.legend(all.stream().map(Estimate::p).distinct().sorted().toList());
        LogAxis axis = axis(all, 0, LEFT, END);
        for (double tick : axis.ticks()) {
            chart.line("grid", axis.at(tick), top, axis.at(tick), bottom);
            chart.label("tick", "middle", axis.at(tick), bottom + 16, written(tick));
        }
        double y = top + ROW / 2.0;
        for (Row row : rows) {
            chart.label("name", "end", LEFT - 8, y + LABEL, row.name());
            for (Estimate each : row.estimates()) {
                if (each.finite()) {
                    double low = axis.at(each.low());
                    double width = Math.max(1, axis.at(each.high()) - low);
                    chart.box(colour(each.p()) + " band", low, y - 6, width, 12);
                }
                if (Double.isFinite(each.value())) {
                    chart.dot(colour(each.p()), axis.at(each.value()), y, 3);
                }
            }
            y += ROW;
        }
        return chart.drawn();
    }

    /** p50 and p99 from day to day, with bands as wide as the intervals. */
    static Figure days(List<Slot> days, double target) {
        int top = LEGEND + 8;
        int bottom = 220 + LEGEND - 28;
        Chart chart = new Chart(
                "p50 and p99 from day to day",
                "p50 (lower line) and p99 (upper line) with their 95\u00a0% intervals, on a logarithmic axis.",
                220 + LEGEND);
        chart.legend(List.of(0.5, 0.99));
        List<Estimate> all =
                days.stream().flatMap(day -> Stream.of(day.p50(), day.p99())).toList();
        LogAxis axis = axis(all, target, bottom, top);
        chart.levels(axis);
        double step = (END - LEFT) / (double) days.size();
        int every = Math.max(1, (int) Math.ceil(days.size() / 8.0));
        for (int i = 0; i < days.size(); i += every) {
            double x = LEFT + step * (i + 0.5);
            chart.label("tick", "middle", x, bottom + 18, days.get(i).name());
        }
        chart.course(axis, step, days.stream().map(Slot::p50).toList());
        chart.course(axis, step, days.stream().map(Slot::p99).toList());
        chart.target(axis, target, "end", END);
        return chart.drawn();
    }

    private void course(LogAxis axis, double step, List<Estimate> estimates) {
        String style = colour(estimates.get(0).p());
        List<String> points = new ArrayList<>();
        for (int i = 0; i < estimates.size(); i++) {
            Estimate each = estimates.get(i);
            double x = LEFT + step * (i + 0.5);
            if (each.finite()) {
                double top = axis.at(each.high());
                double high = Math.max(1, axis.at(each.low()) - top);
                box(style + " band", x - Math.min(4, step / 3), top, Math.min(8, step / 1.5), high);
            }
            if (Double.isFinite(each.value())) {
                points.add(point(x, axis.at(each.value())));
            }
        }
        path(style + " line", points);
    }

    /** p99 against utilisation, with the curve where the data support it. */
    static Figure load(Load load, Duration block, double target) {
        int bottom = 228;
        boolean supported = load.p99Against().isEmpty();
        Chart chart = new Chart(
                "p99 end to end against how busy the busiest broker's handlers are, a dot for each block of "
                        + TextFormat.duration(block),
                supported
                        ? "Dots and a fitted curve that rises the steeper the busier the handlers are."
                        : "Dots; the data support no curve.",
                bottom + 32);
        List<Double> seconds = load.points().stream().map(Point::seconds).toList();
        LogAxis axis = LogAxis.of(Stream.concat(seconds.stream(), Stream.of(target)), bottom, 8);
        chart.levels(axis);
        double width = END - LEFT;
        for (int percent = 0; percent <= 100; percent += 20) {
            double x = LEFT + width * percent / 100;
            chart.label("tick", "middle", x, bottom + 18, percent + "\u00a0%");
        }
        for (Point point : load.points()) {
            if (point.seconds() > 0 && Double.isFinite(point.seconds())) {
                double x = LEFT + width * point.utilisation();
                chart.dot("series0 faint", x, axis.at(point.seconds()), 2);
            }
        }
        chart.target(axis, target, "start", LEFT + 4);
        if (supported) {
            chart.curve(load.p99(), axis);
        }
        return chart.drawn();
    }

    private void curve(QueueCurve curve, LogAxis axis) {
        List<String> points = new ArrayList<>();
        double end = Math.min(0.99, curve.farthest());
        for (double busy = curve.least(); busy < end; busy += 0.01) {
            if (curve.at(busy) > 0 && curve.at(busy) <= axis.most()) {
                points.add(point(LEFT + (END - LEFT) * busy, axis.at(curve.at(busy))));
            }
        }
        path("series2 line", points);
    }

    private Figure drawn() {
        return new Figure(caption, alternative, WIDTH, height, List.copyOf(shapes));
    }

    private static LogAxis axis(List<Estimate> estimates, double target, double begin, double end) {
        Stream<Double> shown = estimates.stream()
                .flatMap(each -> each.finite() ? Stream.of(each.low(), each.high()) : Stream.of(each.value()));
        return LogAxis.of(Stream.concat(shown, Stream.of(target)), begin, end);
    }

    private static String colour(double p) {
        return "series" + Math.max(0, COLOURED.indexOf(p));
    }

    private static String written(double seconds) {
        return TextFormat.chosenLatency(seconds);
    }

    /** Latencies upwards: a line across the chart for each round one. */
    private void levels(LogAxis axis) {
        for (double tick : axis.ticks()) {
            line("grid", LEFT, axis.at(tick), END, axis.at(tick));
            label("tick", "end", LEFT - 6, axis.at(tick) + LABEL, written(tick));
        }
    }

    /** The line that latencies should stay below, if there is one, and its name at an end of it. */
    private void target(LogAxis axis, double target, String anchor, double x) {
        if (target > 0) {
            line("target", LEFT, axis.at(target), END, axis.at(target));
            label("tick", anchor, x, axis.at(target) - 4, "target " + written(target));
        }
    }

    /** Which colour is which percentile, above the chart. */
    private void legend(List<Double> levels) {
        double x = LEFT;
        for (double p : levels) {
            dot(colour(p), x + 4, LEGEND / 2.0, 4);
            label("name", "start", x + 14, LEGEND / 2.0 + LABEL, TextFormat.level(p));
            x += 64;
        }
    }

    private void line(String style, double x1, double y1, double x2, double y2) {
        shapes.add(Shape.of("line", style)
                .with("x1", x1)
                .with("y1", y1)
                .with("x2", x2)
                .with("y2", y2));
    }

    private void box(String style, double x, double y, double width, double height) {
        shapes.add(Shape.of("rect", style)
                .with("x", x)
                .with("y", y)
                .with("width", width)
                .with("height", height));
    }

    private void dot(String style, double x, double y, double radius) {
        shapes.add(Shape.of("circle", style).with("cx", x).with("cy", y).with("r", radius));
    }

    /**
     * @param points places as SVG has them, with a space between x and y
     */
    private void path(String style, List<String> points) {
        String steps = points.isEmpty() ? "" : "M" + String.join(" L", points);
        shapes.add(Shape.of("path", style).with("d", steps));
    }

    private static String point(double x, double y) {
        return Shape.pixels(x) + " " + Shape.pixels(y);
    }

    /**
     * @param anchor which part of the words is at the place: start, middle or end
     */
    private void label(String style, String anchor, double x, double y, String words) {
        shapes.add(Shape.of("text", style)
                .with("text-anchor", anchor)
                .with("x", x)
                .with("y", y)
                .saying(words));
    }
}
