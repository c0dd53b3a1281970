/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.latency;

import io.phasewise.common.phase.Phase;
import io.phasewise.report.query.BlockReader;
import io.phasewise.report.query.Discovery.Found;
import io.phasewise.report.query.Form;
import io.phasewise.report.query.Queries;
import io.phasewise.report.query.Question;
import io.phasewise.report.query.RefusedException;
import io.phasewise.report.query.Steps;
import io.phasewise.report.query.Window;
import io.phasewise.report.source.PrometheusReader;
import io.phasewise.report.source.Series;
import io.phasewise.report.source.SourceException;
import io.phasewise.report.stats.Block;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleFunction;

/**
 * Reads the latencies of one window, in the form that the server has them in, and how the probes
 * ended. Long windows of many brokers are read from what the rules recorded: to go through
 * everything that was scraped would keep a server busy for minutes.
 */
public final class LatencyReader {

    /** Where there are more histograms by leader than this, the blocks are made longer. */
    private static final int MANY = 6_000;

    private final Question question;
    private final BlockReader reader;

    public LatencyReader(PrometheusReader server, Question question, Steps steps) {
        this.question = question;
        this.reader = new BlockReader(server, Queries.of(question), steps);
    }

    /**
     * Reads a window.
     *
     * @throws RefusedException when no probe ended in it
     */
    public WindowData read(Window window, Found found, String prefix)
            throws SourceException, RefusedException, InterruptedException {
        Form form = found.form();
        WindowData whole = whole(window, found, prefix);
        SortedMap<String, List<Block>> byPhase = reader.histograms("phase", "phases", window, form, prefix + "phases");
        Map<Phase, List<Block>> phases = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            phases.put(phase, byPhase.getOrDefault(phase.label(), List.of()));
        }
        Window coarse = found.leaders() * window.blocks() <= MANY ? window : window.coarse();
        return new WindowData(
                window,
                form,
                whole.endToEnd(),
                phases,
                coarse,
                reader.histograms("leader", "leaders", coarse, form, prefix + "leaders"),
                leaderCounts(form, coarse, prefix + "outcomes by leader"),
                whole.counts(),
                slow(form, window, prefix + "slow probes"),
                whole.target(),
                whole.objective(),
                whole.objectives());
    }

    /**
     * Reads how the probes ended and the latency of the whole path, without phases and leaders.
     *
     * @throws RefusedException when no probe ended in it
     */
    public WindowData whole(Window window, Found found, String prefix)
            throws SourceException, RefusedException, InterruptedException {
        Form form = found.form();
        SortedMap<Instant, Counts> counts = counts(form, window, prefix + "outcomes");
        List<Block> endToEnd = reader.histograms("", "whole", window, form, prefix + "end to end")
                .getOrDefault("", List.of());
        if (endToEnd.isEmpty()) {
            double probes = WindowData.sum(counts).probes();
            throw new RefusedException((probes > 0
                            ? "the latency histograms of cluster '%s' are empty %s, but %.0f probes ended"
                            : "no probe of cluster '%s' ended %s")
                    .formatted(question.cluster(), window.text(), probes));
        }
        SortedMap<Instant, Double> targets = new TreeMap<>();
        for (Series each : reader.series("target", window, form, "objective")) {
            each.values().forEach((at, value) -> targets.merge(at, value, Math::max));
        }
        SortedMap<Instant, Double> objectives = reader.values("objective", window, form, "objective");
        Set<String> pairs = new HashSet<>();
        targets.forEach((at, target) -> pairs.add(target + " " + objectives.get(at)));
        reader.steps().over("objective", pairs.size() == 1 ? "one" : pairs.size() + " different");
        return WindowData.whole(window, form, endToEnd, counts, last(targets), last(objectives), pairs.size());
    }

    private static double last(SortedMap<Instant, Double> values) {
        return values.isEmpty() ? Double.NaN : values.get(values.lastKey());
    }

    private SortedMap<Instant, Counts> counts(Form form, Window window, String step)
            throws SourceException, InterruptedException {
        var probes = reader.values("probes", window, form, step);
        var bad = reader.values("bad", window, form, step);
        var lost = reader.values("lost", window, form, step);
        var resurfaced = reader.values("resurfaced", window, form, step);
        var own = reader.values("bad.by.stalls", window, form, step);
        SortedMap<Instant, Counts> counts = new TreeMap<>();
        probes.forEach((end, count) -> counts.put(
                end.minus(window.block()),
                new Counts(
                        count,
                        bad.getOrDefault(end, 0.0),
                        lost.getOrDefault(end, 0.0),
                        resurfaced.getOrDefault(end, 0.0),
                        own.getOrDefault(end, Double.NaN))));
        reader.steps().over(step, counts.size() + " blocks of " + Queries.duration(window.block()));
        return counts;
    }

    private SortedMap<String, SortedMap<Instant, Counts>> leaderCounts(Form form, Window window, String step)
            throws SourceException, InterruptedException {
        Map<String, DoubleFunction<Counts>> asked = Map.of(
                "probes", n -> new Counts(n, 0, 0, 0, 0),
                "bad", n -> new Counts(0, n, 0, 0, 0),
                "lost", n -> new Counts(0, 0, n, 0, 0),
                "resurfaced", n -> new Counts(0, 0, 0, n, 0));
        SortedMap<String, SortedMap<Instant, Counts>> counts = new TreeMap<>();
        for (Map.Entry<String, DoubleFunction<Counts>> each : asked.entrySet()) {
            reader.by("leader", "leaders." + each.getKey(), window, form, step).forEach((leader, values) -> {
                var blocks = counts.computeIfAbsent(leader, any -> new TreeMap<>());
                values.forEach((end, n) ->
                        blocks.merge(end.minus(window.block()), each.getValue().apply(n), Counts::plus));
            });
        }
        reader.steps().over(step, counts.size() + " leaders");
        return counts;
    }

    /**
     * The seconds that slow probes spent in each phase; empty where the canary does not count them.
     */
    private Map<Phase, SortedMap<Instant, Double>> slow(Form form, Window window, String step)
            throws SourceException, InterruptedException {
        var byPhase = reader.by("phase", "slow.probes", window, form, step);
        Map<Phase, SortedMap<Instant, Double>> slow = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            if (byPhase.containsKey(phase.label())) {
                SortedMap<Instant, Double> blocks = new TreeMap<>();
                byPhase.get(phase.label()).forEach((end, seconds) -> blocks.put(end.minus(window.block()), seconds));
                slow.put(phase, blocks);
            }
        }
        reader.steps().over(step, slow.isEmpty() ? "not counted" : slow.size() + " phases");
        return slow;
    }
}
