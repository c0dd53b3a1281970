/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.latency;

import io.phasewise.report.latency.Comparison.Change;
import io.phasewise.report.latency.Comparison.Subject;
import io.phasewise.report.query.Window;
import io.phasewise.report.stats.Block;
import io.phasewise.report.stats.Difference;
import io.phasewise.report.stats.Estimate;
import io.phasewise.report.stats.Holm;
import io.phasewise.report.stats.Percentiles;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** How two windows differ. A pure function of what was read. */
public final class ComparisonAnalysis {

    private static final Duration WEEK = Duration.ofDays(7);

    private final WindowData before;
    private final WindowData after;
    private final LatencyAnalysis first;
    private final LatencyAnalysis second;

    public ComparisonAnalysis(WindowData before, WindowData after, ZoneId zone) {
        this.before = before;
        this.after = after;
        this.first = new LatencyAnalysis(before, zone);
        this.second = new LatencyAnalysis(after, zone);
    }

    public Comparison comparison() {
        Map<String, List<Difference>> differences = new LinkedHashMap<>();
        List<Double> chances = new ArrayList<>();
        differences.put("end_to_end", differences(first.withLost(), second.withLost(), chances));
        before.phases()
                .forEach((phase, earlier) -> differences.put(
                        phase.label(), differences(earlier, after.phases().get(phase), chances)));
        Iterator<Double> together = Holm.together(chances).iterator();
        List<Subject> subjects = new ArrayList<>();
        differences.forEach((name, all) -> subjects.add(new Subject(
                name,
                all.stream().map(each -> new Change(each, together.next())).toList())));
        return new Comparison(before.window(), before.form(), alike(), subjects);
    }

    private List<Difference> differences(List<Block> earlier, List<Block> later, List<Double> chances) {
        List<Block> ones = first.valid(earlier);
        List<Block> others = second.valid(later);
        if (before.window().length().equals(after.window().length())) {
            Duration apart =
                    Duration.between(before.window().from(), after.window().from());
            List<Block> kept = paired(ones, others, apart);
            others = paired(others, ones, apart.negated());
            ones = kept;
        }
        Percentiles one = first.percentiles(ones);
        Percentiles other = second.percentiles(others);
        int freedom = Math.min(one.freedom(), other.freedom());
        List<Difference> all = new ArrayList<>();
        for (double p : Comparison.LEVELS) {
            Difference difference = Difference.of(
                    one.at(p, Estimate.CONFIDENCE), other.at(p, Estimate.CONFIDENCE), Estimate.CONFIDENCE);
            all.add(difference);
            chances.add(difference.chance(Estimate.CONFIDENCE, freedom));
        }
        return all;
    }

    /**
     * The blocks that have a counterpart in the other window. An hour that only one window has,
     * because of a gap or a starved canary in the other, would look like a change.
     */
    private static List<Block> paired(List<Block> blocks, List<Block> others, Duration apart) {
        Set<Instant> there = others.stream().map(Block::start).collect(Collectors.toSet());
        return blocks.stream()
                .filter(each -> there.contains(each.start().plus(apart)))
                .toList();
    }

    /**
     * Whether both windows have the same hours of the week: both are whole weeks, or they are
     * equally long and begin whole weeks apart.
     */
    private boolean alike() {
        Window one = before.window();
        Window other = after.window();
        Duration apart = Duration.between(one.from(), other.from()).abs();
        boolean sameHours = apart.toSeconds() % WEEK.toSeconds() == 0;
        boolean wholeWeeks = one.length().toSeconds() % WEEK.toSeconds() == 0
                && other.length().toSeconds() % WEEK.toSeconds() == 0;
        return wholeWeeks || sameHours && one.length().equals(other.length());
    }
}
