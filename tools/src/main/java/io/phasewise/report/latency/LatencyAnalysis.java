/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.latency;

import io.phasewise.common.phase.Phase;
import io.phasewise.report.latency.Latency.Leader;
import io.phasewise.report.latency.Latency.Objective;
import io.phasewise.report.latency.Latency.Slot;
import io.phasewise.report.stats.Block;
import io.phasewise.report.stats.Estimate;
import io.phasewise.report.stats.Histogram;
import io.phasewise.report.stats.Percentiles;
import io.phasewise.report.stats.Share;
import io.phasewise.report.stats.Trend;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** What the latencies of a window amount to. A pure function of what was read. */
public final class LatencyAnalysis {

    private static final int WEEK_DAYS = 7;

    /**
     * A phase in which slow probes spent at least this share of the seconds of the largest phase is
     * named beside it.
     */
    private static final double NEARLY = 0.8;

    private final WindowData measured;
    private final ZoneId zone;

    public LatencyAnalysis(WindowData measured, ZoneId zone) {
        this.measured = measured;
        this.zone = zone;
    }

    public Latency latency() {
        List<Block> endToEnd = usable(withLost());
        Map<Phase, List<Estimate>> phases = new EnumMap<>(Phase.class);
        Map<Phase, Double> means = new EnumMap<>(Phase.class);
        measured.phases().forEach((phase, blocks) -> {
            Percentiles percentiles = percentiles(usable(blocks));
            phases.put(phase, levels(percentiles));
            means.put(phase, percentiles.total().mean());
        });
        Map<Phase, Double> slowSeconds = slowSeconds();
        boolean byHour = measured.window().block().compareTo(Duration.ofHours(1)) <= 0;
        boolean aDay = byHour && measured.window().length().toDays() >= 1;
        boolean aWeek = byHour && measured.window().length().toDays() >= WEEK_DAYS;
        List<Slot> days = byHour ? days(endToEnd) : List.of();
        return new Latency(
                measured.window(),
                measured.form(),
                objective(),
                levels(percentiles(endToEnd)),
                phases,
                means,
                slowSeconds,
                dominating(slowSeconds, phases),
                leaders(),
                aDay ? hours(endToEnd) : List.of(),
                aWeek ? weekdays(endToEnd) : List.of(),
                days,
                trend(days, Slot::p50),
                trend(days, Slot::p99));
    }

    /** Blocks in which the canary was not starved. */
    public List<Block> valid(List<Block> blocks) {
        return blocks.stream().filter(block -> !starved(block.start())).toList();
    }

    /**
     * The same, or all blocks where the canary was starved throughout: the report then shows what
     * there is.
     */
    private List<Block> usable(List<Block> blocks) {
        return measured.starvedThroughout() ? blocks : valid(blocks);
    }

    /** The blocks of the whole path. Probes that never came count as slower than all others. */
    public List<Block> withLost() {
        return withLost(measured.endToEnd(), measured.counts());
    }

    /**
     * Adds the lost probes to the blocks. A block of which no probe came consists of its lost
     * probes.
     */
    private static List<Block> withLost(List<Block> blocks, SortedMap<Instant, Counts> counts) {
        SortedMap<Instant, Histogram> all = new TreeMap<>();
        blocks.forEach(block -> all.put(block.start(), block.histogram()));
        LostProbes.of(counts).forEach((start, lost) -> {
            if (lost > 0) {
                all.put(start, all.getOrDefault(start, Histogram.EMPTY).plusBeyond(lost));
            }
        });
        return all.entrySet().stream()
                .map(each -> new Block(each.getKey(), each.getValue()))
                .toList();
    }

    private Objective objective() {
        double[] probes =
                measured.counts().values().stream().mapToDouble(Counts::probes).toArray();
        double[] good = measured.counts().values().stream()
                .mapToDouble(counts -> Math.max(0, counts.probes() - counts.bad()))
                .toArray();
        Counts all = measured.all();
        return new Objective(
                measured.target(),
                measured.objective(),
                all.probes(),
                all.bad(),
                LostProbes.sum(measured.counts()),
                Share.of(
                        good,
                        probes,
                        Estimate.CONFIDENCE,
                        percentiles(withLost()).worth()),
                all.bad() / (all.probes() * (1 - measured.objective())),
                measured.objectives());
    }

    /**
     * The percentiles of blocks. In a window of three days or more the hours of the day are strata.
     */
    Percentiles percentiles(List<Block> blocks) {
        if (blocks.isEmpty()) {
            return Percentiles.of(histograms(blocks));
        }
        boolean stratify = measured.window().length().toDays() >= 3
                && measured.window().block().compareTo(Duration.ofHours(1)) <= 0;
        int[] strata = blocks.stream()
                .mapToInt(block -> stratify ? block.start().atZone(zone).getHour() : 0)
                .toArray();
        return Percentiles.of(histograms(blocks), strata);
    }

    private List<Estimate> levels(Percentiles percentiles) {
        return Latency.LEVELS.stream().map(p -> estimate(percentiles, p)).toList();
    }

    private Estimate estimate(Percentiles percentiles, double p) {
        return estimate(percentiles, p, Estimate.CONFIDENCE);
    }

    /** Classic buckets are so wide that the interval must reach to their ends. */
    private Estimate estimate(Percentiles percentiles, double p, double confidence) {
        Estimate estimate = percentiles.at(p, confidence);
        if (measured.starvedThroughout()) {
            // No interval allows for stalls of the canary itself.
            return new Estimate(p, estimate.value(), Double.NaN, Double.NaN, 0, estimate.needed());
        }
        if (measured.form().isNative() || !estimate.enough()) {
            return estimate;
        }
        return new Estimate(
                p,
                estimate.value(),
                percentiles.total().around(estimate.low()).lower(),
                percentiles.total().around(estimate.high()).upper(),
                estimate.effective(),
                estimate.needed());
    }

    /** The seconds of slow probes by phase, without the blocks that are left out. */
    private Map<Phase, Double> slowSeconds() {
        Map<Phase, Double> seconds = new EnumMap<>(Phase.class);
        measured.slow()
                .forEach((phase, blocks) ->
                        blocks.forEach((start, slow) -> seconds.merge(phase, leftOut(start) ? 0 : slow, Double::sum)));
        return seconds;
    }

    private boolean leftOut(Instant block) {
        return starved(block) && !measured.starvedThroughout();
    }

    private boolean starved(Instant block) {
        return measured.counts().getOrDefault(block, Counts.NONE).starved();
    }

    /**
     * The phases that slow probes spent most time in. Where that is unknown, or no probe was slow,
     * those with the highest p99.
     */
    private static List<Phase> dominating(Map<Phase, Double> slowSeconds, Map<Phase, List<Estimate>> phases) {
        double most = slowSeconds.values().stream().mapToDouble(d -> d).max().orElse(0);
        if (most > 0) {
            return slowSeconds.entrySet().stream()
                    .filter(each -> each.getValue() >= NEARLY * most)
                    .sorted(Map.Entry.<Phase, Double>comparingByValue().reversed())
                    .map(Map.Entry::getKey)
                    .toList();
        }
        Map<Phase, Estimate> p99s = new EnumMap<>(Phase.class);
        phases.forEach((phase, levels) -> p99s.put(phase, levels.get(Latency.LEVELS.indexOf(0.99))));
        p99s.values().removeIf(p99 -> Double.isNaN(p99.value()));
        return byOwnP99(p99s);
    }

    /** The phase with the highest p99, and those whose intervals overlap with its own. */
    private static List<Phase> byOwnP99(Map<Phase, Estimate> p99s) {
        List<Phase> order = p99s.keySet().stream()
                .sorted(Comparator.comparingDouble(phase -> -p99s.get(phase).value()))
                .toList();
        return order.stream()
                .filter(phase -> {
                    Estimate first = p99s.get(order.get(0));
                    Estimate own = p99s.get(phase);
                    return own == first || first.enough() && own.enough() && own.high() >= first.low();
                })
                .toList();
    }

    private List<Leader> leaders() {
        SortedMap<String, Percentiles> all = new TreeMap<>();
        // Of a longer block it is not known which part to leave out.
        boolean fine = measured.leaderWindow().block().equals(measured.window().block());
        SortedSet<String> ids = new TreeSet<>(measured.leaders().keySet());
        ids.addAll(measured.leaderCounts().keySet());
        for (String id : ids) {
            List<Block> blocks = withLost(
                    measured.leaders().getOrDefault(id, List.of()),
                    measured.leaderCounts().getOrDefault(id, new TreeMap<>()));
            all.put(id, Percentiles.of(histograms(fine ? usable(blocks) : blocks)));
        }
        double[] p99s = all.values().stream()
                .mapToDouble(each -> each.total().quantile(0.99))
                .filter(value -> !Double.isNaN(value))
                .sorted()
                .toArray();
        double middle = p99s.length < 2 ? Double.POSITIVE_INFINITY : p99s[p99s.length / 2];
        return all.entrySet().stream()
                .map(each -> leader(each.getKey(), each.getValue(), middle, all.size()))
                .sorted(Comparator.comparingDouble((Leader each) -> -each.p99().value()))
                .toList();
    }

    private Leader leader(String id, Percentiles percentiles, double middle, int among) {
        SortedMap<Instant, Counts> blocks = measured.leaderCounts().getOrDefault(id, new TreeMap<>());
        Counts counts = WindowData.sum(blocks);
        // The highest of many is high by chance: Bonferroni.
        double strict = 1 - (1 - Estimate.CONFIDENCE) / among;
        return new Leader(
                id,
                counts.probes(),
                counts.bad(),
                LostProbes.sum(blocks),
                estimate(percentiles, 0.5),
                estimate(percentiles, 0.99),
                estimate(percentiles, 0.999),
                estimate(percentiles, 0.99, strict).low() > middle);
    }

    private List<Slot> hours(List<Block> blocks) {
        return slots(blocks, ZonedDateTime::getHour, hour -> "%02d:00".formatted(hour), 0);
    }

    private List<Slot> weekdays(List<Block> blocks) {
        return slots(
                blocks,
                at -> at.getDayOfWeek().getValue(),
                day -> DayOfWeek.of(day).getDisplayName(TextStyle.FULL, Locale.ENGLISH),
                0);
    }

    /**
     * Whole days only: half a day has other hours than a whole one, which would look like a trend.
     */
    private List<Slot> days(List<Block> blocks) {
        double whole = Duration.ofDays(1).dividedBy(measured.window().block());
        return slots(
                blocks,
                at -> (int) at.toLocalDate().toEpochDay(),
                day -> LocalDate.ofEpochDay(day).toString(),
                0.8 * whole);
    }

    /**
     * @param least blocks that a slot must have
     */
    private List<Slot> slots(
            List<Block> blocks, ToIntFunction<ZonedDateTime> key, IntFunction<String> name, double least) {
        return blocks.stream()
                .collect(Collectors.groupingBy(
                        block -> key.applyAsInt(block.start().atZone(zone)), TreeMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .filter(each -> each.getValue().size() >= least)
                .map(each -> slot(name.apply(each.getKey()), each.getValue()))
                .toList();
    }

    private Slot slot(String name, List<Block> blocks) {
        Percentiles percentiles = Percentiles.of(histograms(blocks));
        return new Slot(name, estimate(percentiles, 0.5), estimate(percentiles, 0.99));
    }

    private Trend trend(List<Slot> days, Function<Slot, Estimate> which) {
        SortedMap<Long, Double> values = new TreeMap<>();
        for (Slot day : days) {
            values.put(
                    LocalDate.parse(day.name()).toEpochDay(), which.apply(day).value());
        }
        return Trend.of(values, Estimate.CONFIDENCE);
    }

    private static List<Histogram> histograms(List<Block> blocks) {
        return blocks.isEmpty()
                ? Collections.singletonList(Histogram.EMPTY)
                : blocks.stream().map(Block::histogram).toList();
    }
}
