/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import io.phasewise.report.review.Review.Facts;
import io.phasewise.report.review.Review.Gap;
import io.phasewise.report.review.Review.Seen;
import io.phasewise.report.review.Review.SettingChange;
import io.phasewise.report.source.Series;
import io.phasewise.report.source.Server;
import io.phasewise.report.source.SourceException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
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

/** Reads what bears on how the latencies are to be read: settings, versions, clocks, gaps. */
final class FactsReader {

    private static final String STEP = "facts";
    private static final Set<String> NOT_SETTINGS =
            Set.of("__name__", "cluster", "profile", "instance", "job", "broker", "rack");

    private final Server server;
    private final Queries queries;
    private final Steps steps;
    private final BlockReader reader;

    FactsReader(Server server, Question question, Steps steps) {
        this.server = server;
        this.queries = Queries.of(question);
        this.steps = steps;
        this.reader = new BlockReader(server, steps);
    }

    Facts read(Measured measured) throws SourceException, InterruptedException {
        Window window = measured.window();
        List<Series> canary = ask(queries.selector("settings.canary"), window);
        canary = without(labels(queries.selector("target"), window), canary);
        List<Seen> settings = seen(canary, window, FactsReader::settings);
        // Each broker's own matter to changes; the labels of all who have the same are one.
        List<Series> brokers = ask(queries.selector("settings.brokers"), window);
        brokers = without(labels(queries.selector("target.brokers"), window), brokers);
        List<SettingChange> changes = new ArrayList<>(changes(canary, "instance", false));
        changes.addAll(changes(brokers, "broker", true));
        changes.sort(Comparator.comparing(SettingChange::first));
        List<Seen> versions =
                seen(
                        ask(queries.selector("versions"), window),
                        window,
                        series -> series.label("version"));
        double[] uncertainty = values(ask(queries.selector("clock.uncertainty"), window));
        double[] delay = values(ask(queries.selector("one.way.delay"), window));
        steps.over(STEP, versions.size() + " versions, " + changes.size() + " changes of settings");
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
                new double[] {middle(uncertainty), last(uncertainty)},
                middle(delay),
                measured.copies());
    }

    private List<Series> ask(String query, Window window)
            throws SourceException, InterruptedException {
        return reader.series(query, window, STEP);
    }

    private Set<String> labels(String selector, Window window)
            throws SourceException, InterruptedException {
        return new HashSet<>(server.labelNames(selector, window.from(), window.to()));
    }

    /**
     * The series without the labels that a server adds to all that it scrapes or passes on: no
     * settings.
     */
    static List<Series> without(Set<String> added, List<Series> all) {
        Set<String> dropped = new HashSet<>(added);
        dropped.removeAll(NOT_SETTINGS);
        return all.stream()
                .map(
                        each -> {
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

    /** Labels that are settings; an empty one is one that is not known. */
    private static SortedMap<String, String> known(Series series) {
        SortedMap<String, String> known = new TreeMap<>(series.labels());
        known.keySet().removeAll(NOT_SETTINGS);
        known.values().removeIf(String::isEmpty);
        return known;
    }

    /** How many brokers have which settings, from what each has. */
    private static List<Series> together(List<Series> brokers) {
        Map<Map<String, String>, Series> all = new LinkedHashMap<>();
        for (Series each : brokers) {
            SortedMap<String, String> settings = known(each);
            Series same =
                    all.computeIfAbsent(
                            settings,
                            any -> new Series(settings, new TreeMap<>(), new TreeMap<>()));
            each.values().keySet().forEach(at -> same.values().merge(at, 1.0, Double::sum));
        }
        return new ArrayList<>(all.values());
    }

    /**
     * What changed from one block to the next, those that changed alike as one.
     *
     * @param by the label that tells one from another
     */
    static List<SettingChange> changes(List<Series> answer, String by, boolean brokers) {
        SortedMap<String, SortedMap<Instant, SortedMap<String, String>>> all = new TreeMap<>();
        for (Series each : answer) {
            SortedMap<Instant, SortedMap<String, String>> one =
                    all.computeIfAbsent(each.label(by), any -> new TreeMap<>());
            each.values().keySet().forEach(at -> one.put(at, known(each)));
        }
        Map<String, SettingChange> changes = new LinkedHashMap<>();
        all.values()
                .forEach(
                        one -> {
                            SortedMap<String, String> before = null;
                            for (Map.Entry<Instant, SortedMap<String, String>> now :
                                    one.entrySet()) {
                                if (before != null && !before.equals(now.getValue())) {
                                    SettingChange change =
                                            new SettingChange(
                                                    difference(before, now.getValue()),
                                                    now.getKey(),
                                                    now.getKey(),
                                                    brokers ? 1 : 0);
                                    changes.merge(change.what(), change, FactsReader::both);
                                }
                                before = now.getValue();
                            }
                        });
        return List.copyOf(changes.values());
    }

    private static SettingChange both(SettingChange a, SettingChange b) {
        Instant first = earlier(a.first(), b.first());
        Instant last = later(a.last(), b.last());
        return new SettingChange(a.what(), first, last, a.brokers() + b.brokers());
    }

    private static Seen both(Seen a, Seen b) {
        Instant first = earlier(a.first(), b.first());
        Instant last = later(a.last(), b.last());
        return new Seen(a.what(), first, last, Math.max(a.most(), b.most()));
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    private static String difference(Map<String, String> before, Map<String, String> now) {
        SortedSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(now.keySet());
        return names.stream()
                .filter(name -> !before.getOrDefault(name, "").equals(now.getOrDefault(name, "")))
                .map(
                        name ->
                                "%s %s -> %s"
                                        .formatted(
                                                name,
                                                before.getOrDefault(name, "unknown"),
                                                now.getOrDefault(name, "unknown")))
                .collect(Collectors.joining(", "));
    }

    private static List<Seen> seen(
            List<Series> answer, Window window, Function<Series, String> name) {
        SortedMap<String, Seen> all = new TreeMap<>();
        for (Series each : answer) {
            if (each.values().isEmpty()) {
                continue;
            }
            Instant first = each.values().firstKey().minus(window.block());
            Instant last = each.values().lastKey();
            double most = each.values().values().stream().mapToDouble(v -> v).max().orElse(0);
            String what = name.apply(each);
            all.merge(what, new Seen(what, first, last, most), FactsReader::both);
        }
        return all.values().stream().sorted(Comparator.comparing(Seen::first)).toList();
    }

    /** Neighbouring blocks with less than half the usual number of probes. */
    static List<Gap> gaps(Measured measured) {
        Window window = measured.window();
        double usual =
                middle(
                        measured.counts().values().stream()
                                .mapToDouble(Counts::probes)
                                .sorted()
                                .toArray());
        List<Gap> gaps = new ArrayList<>();
        Instant begin = null;
        double probes = 0;
        int blocks = 0;
        for (Instant at = window.from(); !at.isAfter(window.to()); at = at.plus(window.block())) {
            double here = measured.counts().getOrDefault(at, Counts.NONE).probes();
            boolean few = at.isBefore(window.to()) && here < usual / 2;
            if (few) {
                begin = begin == null ? at : begin;
                probes += here;
                blocks++;
            } else if (begin != null) {
                gaps.add(new Gap(begin, at, usual > 0 ? probes / (usual * blocks) : 0));
                begin = null;
                probes = 0;
                blocks = 0;
            }
        }
        return gaps;
    }

    private static double[] values(List<Series> answer) {
        return answer.stream()
                .flatMap(series -> series.values().values().stream())
                .mapToDouble(v -> v)
                .filter(value -> !Double.isNaN(value))
                .sorted()
                .toArray();
    }

    private static double middle(double[] sorted) {
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    }

    private static double last(double[] sorted) {
        return Arrays.stream(sorted).max().orElse(Double.NaN);
    }
}
