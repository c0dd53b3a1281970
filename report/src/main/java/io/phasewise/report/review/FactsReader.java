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
import java.time.Duration;
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
import java.util.stream.Collectors;

/** Reads what bears on how the latencies are to be read: settings, versions, clocks, gaps. */
final class FactsReader {

    private static final String STEP = "facts";
    private static final Set<String> NOT_SETTINGS =
            Set.of("__name__", "cluster", "profile", "instance", "job", "broker", "rack");

    /** Has the labels of a broker's target and no others. */
    private static final String BROKERS_TARGET = "process_start_time_seconds";

    private final Server server;
    private final Question question;
    private final Steps steps;

    FactsReader(Server server, Question question, Steps steps) {
        this.server = server;
        this.question = question;
        this.steps = steps;
    }

    Facts read(Measured measured) throws SourceException, InterruptedException {
        Window window = measured.window();
        List<Series> canary = ask("kafka_canary_config_info{" + question.canary() + "}", window);
        canary = without(labels(question.target(), window), canary);
        List<Seen> settings = seen(canary, window, FactsReader::settings);
        // Each broker's own matter to changes; the labels of all who have the same are one.
        List<Series> brokers = ask("kafka_broker_config_info{" + question.brokers() + "}", window);
        brokers = without(labels(BROKERS_TARGET + "{" + question.brokers() + "}", window), brokers);
        List<SettingChange> changes = new ArrayList<>(changes(canary, "instance", false));
        changes.addAll(changes(brokers, "broker", true));
        changes.sort(Comparator.comparing(SettingChange::first));
        List<Seen> versions =
                seen(
                        ask(
                                "count by (version) (kafka_server_app_info_version{"
                                        + question.brokers()
                                        + "})",
                                window),
                        window,
                        series -> series.label("version"));
        double[] uncertainty =
                values(
                        ask(
                                "max(kafka_canary_clock_uncertainty_seconds{"
                                        + question.canary()
                                        + "})",
                                window));
        double[] delay =
                values(
                        ask(
                                "max(kafka_canary_network_one_way_delay_seconds{"
                                        + question.canary()
                                        + "})",
                                window));
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

    private List<Series> ask(String expression, Window window)
            throws SourceException, InterruptedException {
        int chunk = (int) Math.max(1, Duration.ofDays(7).dividedBy(window.block()));
        return server.range(
                expression,
                window.firstEnd(),
                window.to(),
                window.block(),
                chunk,
                (done, of) -> steps.at(STEP, done, of));
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
        return new SettingChange(
                a.what(),
                a.first().isBefore(b.first()) ? a.first() : b.first(),
                a.last().isAfter(b.last()) ? a.last() : b.last(),
                a.brokers() + b.brokers());
    }

    private static String difference(Map<String, String> before, Map<String, String> now) {
        SortedSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(now.keySet());
        return names.stream()
                .filter(name -> !before.getOrDefault(name, "").equals(now.getOrDefault(name, "")))
                .map(
                        name ->
                                name
                                        + " "
                                        + before.getOrDefault(name, "unknown")
                                        + " -> "
                                        + now.getOrDefault(name, "unknown"))
                .collect(Collectors.joining(", "));
    }

    private interface Name {
        String of(Series series);
    }

    private static List<Seen> seen(List<Series> answer, Window window, Name name) {
        SortedMap<String, Seen> all = new TreeMap<>();
        for (Series each : answer) {
            if (each.values().isEmpty()) {
                continue;
            }
            Instant first = each.values().firstKey().minus(window.block());
            Instant last = each.values().lastKey();
            double most = each.values().values().stream().mapToDouble(v -> v).max().orElse(0);
            all.merge(
                    name.of(each),
                    new Seen(name.of(each), first, last, most),
                    (a, b) ->
                            new Seen(
                                    a.what(),
                                    a.first().isBefore(b.first()) ? a.first() : b.first(),
                                    a.last().isAfter(b.last()) ? a.last() : b.last(),
                                    Math.max(a.most(), b.most())));
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
