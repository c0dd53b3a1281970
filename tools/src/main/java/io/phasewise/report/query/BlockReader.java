/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.query;

import io.phasewise.report.source.PrometheusReader;
import io.phasewise.report.source.Series;
import io.phasewise.report.source.SourceException;
import io.phasewise.report.stats.Block;
import io.phasewise.report.stats.Histogram;
import io.phasewise.report.stats.Histogram.Bucket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Asks the server for one value, or one histogram, of each block. */
public final class BlockReader {

    /**
     * Histograms that are asked for at once. This many of hours or days make an answer of a few
     * megabytes.
     */
    private static final int CHUNK = 48;

    /**
     * Blocks this short occur in short windows only, so a whole day of them is asked for at once.
     */
    private static final Duration SHORT = Duration.ofMinutes(5);

    private final PrometheusReader server;
    private final Queries queries;
    private final Steps steps;

    public BlockReader(PrometheusReader server, Queries queries, Steps steps) {
        this.server = server;
        this.queries = queries;
        this.steps = steps;
    }

    public Steps steps() {
        return steps;
    }

    /**
     * The series that a query gives.
     *
     * @param name of the query
     * @param step what is read, for {@link Steps}
     */
    public List<Series> series(String name, Window window, Form form, String step)
            throws SourceException, InterruptedException {
        boolean shortBlocks = window.block().compareTo(SHORT) <= 0;
        long most = shortBlocks ? Duration.ofDays(1).dividedBy(SHORT) : CHUNK;
        long week = Duration.ofDays(7).dividedBy(window.block());
        return server.range(
                queries.blocks(name, window, form),
                window.firstEnd(),
                window.to(),
                window.block(),
                (int) Math.max(1, Math.min(most, week)),
                (done, of) -> steps.at(step, done, of));
    }

    /** The values of the only series, by the block's end; empty where there is none. */
    public SortedMap<Instant, Double> values(String name, Window window, Form form, String step)
            throws SourceException, InterruptedException {
        List<Series> answer = series(name, window, form, step);
        return answer.isEmpty() ? new TreeMap<>() : answer.get(0).values();
    }

    /** The values of each series, by the value of a label. */
    public SortedMap<String, SortedMap<Instant, Double>> by(
            String label, String name, Window window, Form form, String step)
            throws SourceException, InterruptedException {
        SortedMap<String, SortedMap<Instant, Double>> all = new TreeMap<>();
        for (Series each : series(name, window, form, step)) {
            if (!each.values().isEmpty()) {
                all.put(each.label(label), each.values());
            }
        }
        return all;
    }

    /** The value of each series over a stretch of time; a series without a value is absent. */
    public Map<Series, Double> stretch(String name, Duration length, Instant end, Form form)
            throws SourceException, InterruptedException {
        Map<Series, Double> values = new LinkedHashMap<>();
        for (Series each : server.instant(queries.range(name, length, form), end)) {
            if (!each.values().isEmpty()) {
                values.put(each, each.values().lastEntry().getValue());
            }
        }
        return values;
    }

    /** The same, by the value of a label. */
    public SortedMap<String, Double> stretch(String label, String name, Duration length, Instant end, Form form)
            throws SourceException, InterruptedException {
        SortedMap<String, Double> values = new TreeMap<>();
        stretch(name, length, end, form).forEach((series, value) -> values.put(series.label(label), value));
        return values;
    }

    public List<String> labelValues(String label, String selector, Window window)
            throws SourceException, InterruptedException {
        String series = queries.selector(selector);
        return server.labelValues(label, series, window.from(), window.to());
    }

    public Set<String> labelNames(String selector, Window window) throws SourceException, InterruptedException {
        String series = queries.selector(selector);
        return new HashSet<>(server.labelNames(series, window.from(), window.to()));
    }

    /** Histograms by the value of a label; a block without probes is absent. */
    public SortedMap<String, List<Block>> histograms(String label, String name, Window window, Form form, String step)
            throws SourceException, InterruptedException {
        SortedMap<String, List<Block>> all = new TreeMap<>();
        series(name, window, form, step).stream()
                .collect(Collectors.groupingBy(each -> each.label(label)))
                .forEach((value, parts) -> {
                    var byEnd = form.isNative() ? parts.get(0).histograms() : classic(parts);
                    all.put(value, blocks(byEnd, window.block()));
                });
        steps.over(step, all.values().stream().mapToInt(List::size).sum() + " histograms");
        return all;
    }

    private static List<Block> blocks(SortedMap<Instant, Histogram> byEnd, Duration length) {
        return byEnd.entrySet().stream()
                .filter(each -> each.getValue().count() > 0)
                .map(each -> new Block(each.getKey().minus(length), each.getValue()))
                .toList();
    }

    /** Makes a histogram for each time of the series, each of which is one cumulative bucket. */
    private static SortedMap<Instant, Histogram> classic(List<Series> buckets) {
        SortedMap<Instant, SortedMap<Double, Double>> byTime = new TreeMap<>();
        for (Series bucket : buckets) {
            String le = bucket.label("le");
            double upper = le.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
            bucket.values()
                    .forEach((at, count) ->
                            byTime.computeIfAbsent(at, any -> new TreeMap<>()).put(upper, count));
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
