/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import io.phasewise.report.source.Series;
import io.phasewise.report.source.Server;
import io.phasewise.report.source.SourceException;
import io.phasewise.report.stats.Block;
import io.phasewise.report.stats.Histogram;
import io.phasewise.report.stats.Histogram.Bucket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Asks the server for one value, or one histogram, of each block. */
final class BlockReader {

    /** A day of hours or a month of days is an answer of a few megabytes. */
    private static final int CHUNK = 48;

    private final Server server;
    private final Steps steps;

    BlockReader(Server server, Steps steps) {
        this.server = server;
        this.steps = steps;
    }

    List<Series> series(String expression, Window window, String step)
            throws SourceException, InterruptedException {
        long days = Duration.ofDays(7).dividedBy(window.block());
        return server.range(
                expression,
                window.firstEnd(),
                window.to(),
                window.block(),
                (int) Math.max(1, Math.min(CHUNK, days)),
                (done, of) -> steps.at(step, done, of));
    }

    /** The values of the only series, by the block's end; empty where there is none. */
    SortedMap<Instant, Double> values(String expression, Window window, String step)
            throws SourceException, InterruptedException {
        List<Series> answer = series(expression, window, step);
        return answer.isEmpty() ? new TreeMap<>() : answer.get(0).values();
    }

    /** The values of each series, by the value of a label. */
    SortedMap<String, SortedMap<Instant, Double>> values(
            String expression, String label, Window window, String step)
            throws SourceException, InterruptedException {
        SortedMap<String, SortedMap<Instant, Double>> all = new TreeMap<>();
        for (Series each : series(expression, window, step)) {
            if (!each.values().isEmpty()) {
                all.put(each.label(label), each.values());
            }
        }
        return all;
    }

    /** The same at one instant. */
    SortedMap<String, Double> instant(String expression, String label, Instant at)
            throws SourceException, InterruptedException {
        SortedMap<String, Double> values = new TreeMap<>();
        for (Series each : server.instant(expression, at)) {
            if (!each.values().isEmpty()) {
                values.put(each.label(label), each.values().lastEntry().getValue());
            }
        }
        return values;
    }

    List<String> labels(String label, String selector, Window window)
            throws SourceException, InterruptedException {
        return server.labelValues(label, selector, window.from(), window.to());
    }

    /** Histograms by the value of a label; a block without probes is absent. */
    SortedMap<String, List<Block>> histograms(
            String expression, boolean nativeForm, String label, Window window, String step)
            throws SourceException, InterruptedException {
        SortedMap<String, List<Block>> all = new TreeMap<>();
        series(expression, window, step).stream()
                .collect(Collectors.groupingBy(each -> each.label(label)))
                .forEach(
                        (name, parts) ->
                                all.put(
                                        name,
                                        blocks(
                                                nativeForm
                                                        ? parts.get(0).histograms()
                                                        : classic(parts),
                                                window.block())));
        steps.over(step, all.values().stream().mapToInt(List::size).sum() + " histograms");
        return all;
    }

    private static List<Block> blocks(SortedMap<Instant, Histogram> byEnd, Duration length) {
        return byEnd.entrySet().stream()
                .filter(each -> each.getValue().count() > 0)
                .map(each -> new Block(each.getKey().minus(length), each.getValue()))
                .toList();
    }

    /** Cumulative buckets of one histogram, as many as there were times. */
    private static SortedMap<Instant, Histogram> classic(List<Series> buckets) {
        SortedMap<Instant, SortedMap<Double, Double>> byTime = new TreeMap<>();
        for (Series bucket : buckets) {
            String le = bucket.label("le");
            double upper = le.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
            bucket.values()
                    .forEach(
                            (at, count) ->
                                    byTime.computeIfAbsent(at, any -> new TreeMap<>())
                                            .put(upper, count));
        }
        SortedMap<Instant, Histogram> histograms = new TreeMap<>();
        byTime.forEach((end, cumulative) -> histograms.put(end, histogram(cumulative)));
        return histograms;
    }

    private static Histogram histogram(SortedMap<Double, Double> cumulative) {
        List<Bucket> cells = new ArrayList<>();
        double lower = 0;
        double before = 0;
        for (Map.Entry<Double, Double> each : cumulative.entrySet()) {
            // Rates of neighbouring buckets may differ by rounding.
            double count = each.getValue() - before;
            if (count > 0) {
                cells.add(new Bucket(lower, each.getKey(), count));
                before = each.getValue();
            }
            lower = each.getKey();
        }
        return Histogram.of(cells, Double.NaN);
    }
}
