/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import io.phasewise.report.review.Incident.Incidents;
import io.phasewise.report.source.Series;
import io.phasewise.report.source.Server;
import io.phasewise.report.source.SourceException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Finds the times in which the objective was not kept, and reads what else happened in the worst of
 * them.
 */
final class IncidentReader {

    private static final String STEP = "incidents";
    private static final Duration RESOLUTION = Duration.ofMinutes(5);

    /** Calm for so long ends an incident. */
    private static final Duration CALM = Duration.ofMinutes(10);

    /** As many times the share of bad probes that the objective allows. */
    private static final double BURN_RATE = 2;

    /** Fewer bad probes are no incident; as for the alerts. */
    private static final double FEWEST = 5;

    private static final int LOOKED_AT = 15;

    /** An alert fires only after a while. */
    private static final Duration LATE = Duration.ofMinutes(10);

    private static final Duration BEFORE = Duration.ofHours(1);

    private final Server server;
    private final Question question;
    private final Steps steps;

    IncidentReader(Server server, Question question, Steps steps) {
        this.server = server;
        this.question = question;
        this.steps = steps;
    }

    /** What is known of an incident before one looks closer. */
    record Span(Instant start, Instant end, double bad) {}

    Incidents read(Measured measured) throws SourceException, InterruptedException {
        Window window = measured.window();
        SortedMap<Instant, Double> all = series(measured, false);
        SortedMap<Instant, Double> bad = series(measured, true);
        List<Span> spans = spans(all, bad, 1 - measured.objective());
        double budget = measured.all().probes() * (1 - measured.objective());
        List<Span> worst =
                spans.stream()
                        .sorted(Comparator.comparingDouble(Span::bad).reversed())
                        .limit(LOOKED_AT)
                        .sorted(Comparator.comparing(Span::start))
                        .toList();
        List<Incident> incidents = new ArrayList<>();
        for (Span span : worst) {
            steps.at(STEP, incidents.size(), worst.size());
            incidents.add(incident(span, measured, budget));
        }
        steps.over(STEP, Integer.toString(spans.size()));
        return new Incidents(
                spans.size(), spans.stream().mapToDouble(Span::bad).sum() / budget, incidents);
    }

    /** Times with too many bad probes, those that are close together as one. */
    static List<Span> spans(
            SortedMap<Instant, Double> all, SortedMap<Instant, Double> bad, double allowed) {
        List<Span> spans = new ArrayList<>();
        for (Map.Entry<Instant, Double> each : bad.entrySet()) {
            double probes = all.getOrDefault(each.getKey(), 0.0);
            double count = each.getValue();
            if (!(count >= FEWEST) || !(count > BURN_RATE * allowed * probes)) {
                continue;
            }
            Instant end = each.getKey();
            Instant start = end.minus(RESOLUTION);
            int last = spans.size() - 1;
            if (last >= 0 && !start.isAfter(spans.get(last).end().plus(CALM))) {
                Span open = spans.get(last);
                spans.set(last, new Span(open.start(), end, open.bad() + count));
            } else {
                spans.add(new Span(start, end, count));
            }
        }
        return spans;
    }

    private SortedMap<Instant, Double> series(Measured measured, boolean bad)
            throws SourceException, InterruptedException {
        String expression =
                measured.form().recorded()
                        ? "max(kafka_canary:"
                                + (bad ? "slo_bad_probes" : "slo_probes")
                                + ":increase5m{"
                                + question.canary()
                                + ",slo=\"latency\"})"
                        : "sum(increase(kafka_canary_slo_probes_total{"
                                + question.canary()
                                + (bad ? ",verdict=\"bad\"" : "")
                                + "}["
                                + "5m"
                                + "]))";
        List<Series> answer =
                server.range(
                        expression,
                        measured.window().from().plus(RESOLUTION),
                        measured.window().to(),
                        RESOLUTION,
                        (int) Duration.ofDays(1).dividedBy(RESOLUTION),
                        (done, of) -> steps.at(STEP, done, of));
        return answer.isEmpty() ? new TreeMap<>() : answer.get(0).values();
    }

    private Incident incident(Span span, Measured measured, double budget)
            throws SourceException, InterruptedException {
        Form form = measured.form();
        Window window = measured.window();
        String range = LatencyReader.promDuration(Duration.between(span.start(), span.end()));
        SortedMap<String, Map<PathPart, Double>> growth = means(form, range, span.end());
        means(form, LatencyReader.promDuration(BEFORE), span.start())
                .forEach(
                        (leader, usual) ->
                                usual.forEach(
                                        (part, seconds) -> {
                                            Map<PathPart, Double> now = growth.get(leader);
                                            if (now != null) {
                                                now.computeIfPresent(
                                                        part, (any, mean) -> mean - seconds);
                                            }
                                        }));
        SortedMap<String, Double> lost =
                by(
                        "sum by (leader) (increase(kafka_canary_probes_total{"
                                + question.canary()
                                + ",outcome=~\"lost|send_failed\"}["
                                + range
                                + "]))",
                        span.end(),
                        series -> series.label("leader"));
        Suspicion suspicion = Suspicion.of(growth, lost);
        if (starved(span, measured)) {
            suspicion = suspicion.withoutBroker("the canary itself was starved");
        }
        Instant late = span.end().plus(LATE);
        Instant until = late.isAfter(window.to()) ? window.to() : late;
        String longer = LatencyReader.promDuration(Duration.between(span.start(), until));
        List<String> alerts =
                List.copyOf(
                        by(
                                        "count by (alertname)"
                                            + " (count_over_time(ALERTS{alertstate=\"firing\",cluster="
                                                + Question.quoted(question.cluster())
                                                + "}["
                                                + longer
                                                + "]))",
                                        until,
                                        series -> series.label("alertname"))
                                .keySet());
        List<String> restarts =
                List.copyOf(
                        by(
                                        "sum by (broker) (changes(process_start_time_seconds{"
                                                + question.brokers()
                                                + "}["
                                                + longer
                                                + "])) > 0",
                                        until,
                                        series -> series.label("broker"))
                                .keySet());
        double moved =
                by(
                                "sum(count by (partition) (count by (partition, leader)"
                                        + " (count_over_time(kafka_canary_partition_leader_info{"
                                        + question.canary()
                                        + "}["
                                        + longer
                                        + "]))) - 1)",
                                until,
                                series -> "")
                        .getOrDefault("", 0.0);
        return new Incident(
                span.start(),
                span.end(),
                span.bad(),
                span.bad() / budget,
                suspicion.part(),
                suspicion.growth(),
                suspicion.broker(),
                suspicion.reason(),
                alerts,
                restarts,
                (int) Math.round(moved));
    }

    /** Whether the canary was starved in half or more of the blocks that it reaches into. */
    static boolean starved(Span span, Measured measured) {
        List<Counts> reached =
                measured.counts().entrySet().stream()
                        .filter(each -> each.getKey().isBefore(span.end()))
                        .filter(
                                each ->
                                        each.getKey()
                                                .plus(measured.window().block())
                                                .isAfter(span.start()))
                        .map(Map.Entry::getValue)
                        .toList();
        long starved = reached.stream().filter(Counts::starved).count();
        return starved > 0 && 2 * starved >= reached.size();
    }

    /** Mean of each part of the path by way of each leader. */
    private SortedMap<String, Map<PathPart, Double>> means(Form form, String range, Instant at)
            throws SourceException, InterruptedException {
        String mean;
        if (form.recorded()) {
            mean =
                    "avg by (leader, phase)"
                        + " (avg_over_time(kafka_canary:%1$s_latency_seconds_by_leader:mean1m%2$s))";
        } else if (form.isNative()) {
            mean =
                    "histogram_avg(sum by (leader, phase)"
                            + " (rate(kafka_canary_%1$s_latency_seconds%2$s)))";
        } else {
            mean =
                    "sum by (leader, phase) (rate(kafka_canary_%1$s_latency_seconds_sum%2$s))"
                            + " / sum by (leader, phase)"
                            + " (rate(kafka_canary_%1$s_latency_seconds_count%2$s))";
        }
        String of = "{" + question.canary() + "}[" + range + "]";
        String expression = mean.formatted("phase", of) + " or " + mean.formatted("mirror", of);
        SortedMap<String, Map<PathPart, Double>> means = new TreeMap<>();
        for (Series each : server.instant(expression, at)) {
            Arrays.stream(PathPart.values())
                    .filter(part -> part.phase().equals(each.label("phase")))
                    .filter(part -> !each.values().isEmpty())
                    .filter(part -> Double.isFinite(each.values().lastEntry().getValue()))
                    .forEach(
                            part ->
                                    means.computeIfAbsent(
                                                    each.label("leader"),
                                                    any -> new EnumMap<>(PathPart.class))
                                            .put(part, each.values().lastEntry().getValue()));
        }
        return means;
    }

    private SortedMap<String, Double> by(
            String expression, Instant at, Function<Series, String> name)
            throws SourceException, InterruptedException {
        SortedMap<String, Double> values = new TreeMap<>();
        for (Series each : server.instant(expression, at)) {
            if (!each.values().isEmpty()) {
                values.put(name.apply(each), each.values().lastEntry().getValue());
            }
        }
        return values;
    }
}
