/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.facts;

import io.phasewise.report.facts.Facts.Gap;
import io.phasewise.report.facts.Facts.ObservedValue;
import io.phasewise.report.latency.Counts;
import io.phasewise.report.latency.WindowData;
import io.phasewise.report.query.BlockReader;
import io.phasewise.report.query.Queries;
import io.phasewise.report.query.Question;
import io.phasewise.report.query.Steps;
import io.phasewise.report.query.Window;
import io.phasewise.report.source.PrometheusReader;
import io.phasewise.report.source.Series;
import io.phasewise.report.source.SourceException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Reads what a reader must know before believing the latencies: settings, versions, clocks, gaps.
 */
public final class FactsReader {

    private static final String STEP = "facts";
    private static final Set<String> NOT_SETTINGS =
            Set.of("__name__", "cluster", "profile", "instance", "job", "broker", "rack");

    private final BlockReader reader;

    public FactsReader(PrometheusReader server, Question question, Steps steps) {
        this.reader = new BlockReader(server, Queries.of(question), steps);
    }

    public Facts read(WindowData measured) throws SourceException, InterruptedException {
        Window window = measured.window();
        List<Series> canary = ask("settings.canary", measured);
        canary = without(reader.labelNames("target", window), canary);
        List<ObservedValue> settings = seen(canary, window, FactsReader::settings);
        // Changes are looked for broker by broker. Settings are listed once for all brokers that have the same.
        List<Series> brokers = ask("settings.brokers", measured);
        brokers = without(reader.labelNames("target.brokers", window), brokers);
        List<ObservedValue> changes = new ArrayList<>(changes(canary, "instance", false));
        changes.addAll(changes(brokers, "broker", true));
        changes.sort(Comparator.comparing(ObservedValue::first));
        List<ObservedValue> versions = seen(ask("versions", measured), window, series -> series.label("version"));
        List<Series> uncertainty = ask("clock.uncertainty", measured);
        List<Series> delay = ask("one.way.delay", measured);
        reader.steps().over(STEP, versions.size() + " versions, " + changes.size() + " changes of settings");
        return new Facts(
                window.blocks(),
                measured.starvedBlocks(),
                measured.starvedThroughout(),
                measured.blocksUnknown(),
                gaps(measured),
                settings,
                seen(together(brokers), window, FactsReader::settings),
                changes,
                versions,
                List.of(middle(values(uncertainty)), values(uncertainty).max().orElse(Double.NaN)),
                middle(values(delay)));
    }

    private List<Series> ask(String query, WindowData measured) throws SourceException, InterruptedException {
        return reader.series(query, measured.window(), measured.form(), STEP);
    }

    /**
     * The series without the labels that a server adds to every series that it scrapes or passes
     * on: these are no settings.
     */
    static List<Series> without(Set<String> added, List<Series> all) {
        Set<String> dropped = new HashSet<>(added);
        dropped.removeAll(NOT_SETTINGS);
        return all.stream()
                .map(each -> {
                    Map<String, String> labels = new LinkedHashMap<>(each.labels());
                    labels.keySet().removeAll(dropped);
                    return new Series(labels, each.values(), each.histograms());
                })
                .toList();
    }

    private static String settings(Series series) {
        return known(series).entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(", "));
    }

    /** The labels that are settings. An empty label is a setting that is not known. */
    private static SortedMap<String, String> known(Series series) {
        SortedMap<String, String> known = new TreeMap<>(series.labels());
        known.keySet().removeAll(NOT_SETTINGS);
        known.values().removeIf(String::isEmpty);
        return known;
    }

    /** Counts the brokers that have the same settings. A broker that is there twice counts once. */
    static List<Series> together(List<Series> brokers) {
        Map<Map<String, String>, Series> all = new LinkedHashMap<>();
        Set<List<Object>> counted = new HashSet<>();
        for (Series each : brokers) {
            SortedMap<String, String> settings = known(each);
            Series same = all.computeIfAbsent(settings, any -> new Series(settings, new TreeMap<>(), new TreeMap<>()));
            for (Instant at : each.values().keySet()) {
                if (counted.add(List.of(settings, each.label("broker"), at))) {
                    same.values().merge(at, 1.0, Double::sum);
                }
            }
        }
        return new ArrayList<>(all.values());
    }

    /**
     * What changed from one block to the next. Brokers or canaries that changed alike make one
     * entry.
     *
     * @param by the label that tells one from another
     */
    static List<ObservedValue> changes(List<Series> answer, String by, boolean brokers) {
        SortedMap<String, SortedMap<Instant, SortedMap<String, String>>> all = new TreeMap<>();
        for (Series each : answer) {
            SortedMap<Instant, SortedMap<String, String>> one =
                    all.computeIfAbsent(each.label(by), any -> new TreeMap<>());
            each.values().keySet().forEach(at -> one.put(at, known(each)));
        }
        Map<String, ObservedValue> changes = new LinkedHashMap<>();
        all.values().forEach(one -> {
            SortedMap<String, String> before = null;
            for (Map.Entry<Instant, SortedMap<String, String>> now : one.entrySet()) {
                if (before != null && !before.equals(now.getValue())) {
                    ObservedValue change = new ObservedValue(
                            difference(before, now.getValue()), now.getKey(), now.getKey(), brokers ? 1 : 0);
                    changes.merge(change.what(), change, (a, b) -> a.and(b, a.most() + b.most()));
                }
                before = now.getValue();
            }
        });
        return List.copyOf(changes.values());
    }

    private static String difference(Map<String, String> before, Map<String, String> now) {
        SortedSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(now.keySet());
        return names.stream()
                .filter(name -> !before.getOrDefault(name, "").equals(now.getOrDefault(name, "")))
                .map(name -> "%s %s -> %s"
                        .formatted(name, before.getOrDefault(name, "unknown"), now.getOrDefault(name, "unknown")))
                .collect(Collectors.joining(", "));
    }

    private static List<ObservedValue> seen(List<Series> answer, Window window, Function<Series, String> name) {
        SortedMap<String, ObservedValue> all = new TreeMap<>();
        for (Series each : answer) {
            if (each.values().isEmpty()) {
                continue;
            }
            Instant first = each.values().firstKey().minus(window.block());
            Instant last = each.values().lastKey();
            double most =
                    each.values().values().stream().mapToDouble(v -> v).max().orElse(0);
            String what = name.apply(each);
            all.merge(
                    what, new ObservedValue(what, first, last, most), (a, b) -> a.and(b, Math.max(a.most(), b.most())));
        }
        return all.values().stream()
                .sorted(Comparator.comparing(ObservedValue::first))
                .toList();
    }

    /** Neighbouring blocks with less than half the usual number of probes. */
    static List<Gap> gaps(WindowData measured) {
        Window window = measured.window();
        double usual = middle(measured.counts().values().stream().mapToDouble(Counts::probes));
        List<Gap> gaps = new ArrayList<>();
        List<Double> few = new ArrayList<>();
        for (Instant at = window.from(); !at.isAfter(window.to()); at = at.plus(window.block())) {
            double here = measured.counts().getOrDefault(at, Counts.NONE).probes();
            if (at.isBefore(window.to()) && here < usual / 2) {
                few.add(here);
            } else if (!few.isEmpty()) {
                double share = few.stream().mapToDouble(d -> d).average().orElse(0) / usual;
                gaps.add(new Gap(at.minus(window.block().multipliedBy(few.size())), at, share));
                few.clear();
            }
        }
        return gaps;
    }

    private static DoubleStream values(List<Series> answer) {
        return answer.stream()
                .flatMap(series -> series.values().values().stream())
                .mapToDouble(v -> v)
                .filter(value -> !Double.isNaN(value));
    }

    private static double middle(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    }
}
