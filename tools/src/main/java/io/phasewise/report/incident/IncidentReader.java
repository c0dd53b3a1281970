/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.incident;

import io.phasewise.common.phase.Phase;
import io.phasewise.report.incident.Incident.Incidents;
import io.phasewise.report.incident.Suspicion.Named;
import io.phasewise.report.latency.Counts;
import io.phasewise.report.latency.WindowData;
import io.phasewise.report.query.BlockReader;
import io.phasewise.report.query.Form;
import io.phasewise.report.query.Queries;
import io.phasewise.report.query.Question;
import io.phasewise.report.query.Steps;
import io.phasewise.report.query.Window;
import io.phasewise.report.source.PrometheusReader;
import io.phasewise.report.source.SourceException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds the times in which the objective was not kept, and reads what else happened in the worst of
 * them.
 */
public final class IncidentReader {

    private static final String STEP = "incidents";
    private static final Duration RESOLUTION = Duration.ofMinutes(5);

    /** Calm for so long ends an incident. */
    private static final Duration CALM = Duration.ofMinutes(10);

    /**
     * An incident has more than this many times the share of bad probes that the objective allows.
     */
    private static final double BURN_RATE = 2;

    /** Fewer bad probes are no incident; as for the alerts. */
    private static final double FEWEST = 5;

    private static final int LOOKED_AT = 15;

    /** An alert about an incident may fire this long after its end. */
    private static final Duration LATE = Duration.ofMinutes(10);

    private static final Duration BEFORE = Duration.ofHours(1);

    private final BlockReader reader;

    public IncidentReader(PrometheusReader server, Question question, Steps steps) {
        this.reader = new BlockReader(server, Queries.of(question), steps);
    }

    /** An incident before its details are read. */
    record Span(Instant start, Instant end, double bad) {}

    public Incidents read(WindowData measured) throws SourceException, InterruptedException {
        Window window = measured.window();
        Window fine = new Window(window.from(), window.to(), RESOLUTION);
        var all = reader.values("five.minutes.probes", fine, measured.form(), STEP);
        var bad = reader.values("five.minutes.bad", fine, measured.form(), STEP);
        List<Span> spans = spans(all, bad, 1 - measured.objective());
        double budget = measured.all().probes() * (1 - measured.objective());
        List<Span> worst = spans.stream()
                .sorted(Comparator.comparingDouble(Span::bad).reversed())
                .limit(LOOKED_AT)
                .sorted(Comparator.comparing(Span::start))
                .toList();
        List<Incident> incidents = new ArrayList<>();
        for (Span span : worst) {
            reader.steps().at(STEP, incidents.size(), worst.size());
            incidents.add(incident(span, measured, budget));
        }
        reader.steps().over(STEP, Integer.toString(spans.size()));
        return new Incidents(spans.size(), spans.stream().mapToDouble(Span::bad).sum() / budget, incidents);
    }

    /** The times with too many bad probes. Those that are close together become one. */
    static List<Span> spans(SortedMap<Instant, Double> all, SortedMap<Instant, Double> bad, double allowed) {
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

    private Incident incident(Span span, WindowData measured, double budget)
            throws SourceException, InterruptedException {
        Form form = measured.form();
        Duration range = Duration.between(span.start(), span.end());
        Suspicion suspicion =
                Suspicion.of(growth(form, span, range), reader.stretch("leader", "lost.in", range, span.end(), form));
        suspicion = suspicion.named(suspects(range, span.end(), form));
        if (starved(span, measured)) {
            suspicion = suspicion.withoutBroker("the canary itself was starved");
        }
        Instant late = span.end().plus(LATE);
        Instant until = late.isAfter(measured.window().to()) ? measured.window().to() : late;
        Duration longer = Duration.between(span.start(), until);
        double moved = reader.stretch("", "moves", longer, until, form).getOrDefault("", 0.0);
        return new Incident(
                span.start(),
                span.end(),
                span.bad(),
                span.bad() / budget,
                suspicion.phase(),
                suspicion.growth(),
                suspicion.broker(),
                suspicion.reason(),
                List.copyOf(reader.stretch("alertname", "alerts", longer, until, form)
                        .keySet()),
                List.copyOf(reader.stretch("broker", "restarts", longer, until, form)
                        .keySet()),
                (int) Math.round(moved));
    }

    /** Who was named during the incident. */
    private List<Named> suspects(Duration range, Instant at, Form form) throws SourceException, InterruptedException {
        List<Named> all = new ArrayList<>();
        reader.stretch("suspects", range, at, form)
                .forEach((each, seconds) -> all.add(new Named(
                        each.label("broker"),
                        each.label("role"),
                        each.label("phase"),
                        each.label("who"),
                        each.label("source"),
                        seconds)));
        return all;
    }

    /**
     * Whether the canary was starved in at least half of the blocks that the incident reaches into.
     */
    static boolean starved(Span span, WindowData measured) {
        List<Counts> reached = measured.counts().entrySet().stream()
                .filter(each -> each.getKey().isBefore(span.end()))
                .filter(each -> each.getKey().plus(measured.window().block()).isAfter(span.start()))
                .map(Map.Entry::getValue)
                .toList();
        long starved = reached.stream().filter(Counts::starved).count();
        return starved > 0 && 2 * starved >= reached.size();
    }

    /** By how much the mean of each phase grew against the hour before, by leader. */
    private SortedMap<String, Map<Phase, Double>> growth(Form form, Span span, Duration range)
            throws SourceException, InterruptedException {
        var growth = means(form, range, span.end());
        means(form, BEFORE, span.start()).forEach((leader, usual) -> {
            Map<Phase, Double> now = growth.getOrDefault(leader, Map.of());
            usual.forEach((phase, seconds) -> {
                if (now.containsKey(phase)) {
                    now.merge(phase, -seconds, Double::sum);
                }
            });
        });
        return growth;
    }

    private SortedMap<String, Map<Phase, Double>> means(Form form, Duration range, Instant at)
            throws SourceException, InterruptedException {
        SortedMap<String, Map<Phase, Double>> means = new TreeMap<>();
        reader.stretch("means", range, at, form).forEach((each, mean) -> {
            for (Phase phase : Phase.values()) {
                if (phase.label().equals(each.label("phase")) && Double.isFinite(mean)) {
                    means.computeIfAbsent(each.label("leader"), any -> new EnumMap<>(Phase.class))
                            .put(phase, mean);
                }
            }
        });
        return means;
    }
}
