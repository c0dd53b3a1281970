/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.latency;

import io.phasewise.common.phase.Phase;
import io.phasewise.report.query.Form;
import io.phasewise.report.query.Window;
import io.phasewise.report.stats.Block;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was read of one window.
 *
 * @param window the time
 * @param form in which form latencies were stored
 * @param endToEnd by block; a block without probes is absent
 * @param phases the same by phase
 * @param leaderWindow the same time in the blocks that leaders are read in; longer ones where
 *     there are many
 * @param leaders the same as of the whole path, by leader
 * @param leaderCounts by leader and block of leaderWindow; how many bad probes are the canary's
 *     own is not read
 * @param counts by block
 * @param slow seconds that probes that missed the target spent in each phase, by block; empty
 *     where the canary does not count them
 * @param target of the objective in seconds, as last seen; NaN where it is unknown
 * @param objective share of probes that shall keep the target; NaN where it is unknown
 * @param objectives how many different pairs of the two were seen
 */
public record WindowData(
        Window window,
        Form form,
        List<Block> endToEnd,
        Map<Phase, List<Block>> phases,
        Window leaderWindow,
        SortedMap<String, List<Block>> leaders,
        SortedMap<String, SortedMap<Instant, Counts>> leaderCounts,
        SortedMap<Instant, Counts> counts,
        Map<Phase, SortedMap<Instant, Double>> slow,
        double target,
        double objective,
        int objectives) {

    /** What is known without phases and leaders. */
    public static WindowData whole(
            Window window,
            Form form,
            List<Block> endToEnd,
            SortedMap<Instant, Counts> counts,
            double target,
            double objective,
            int objectives) {
        return new WindowData(
                window,
                form,
                endToEnd,
                Map.of(),
                window,
                new TreeMap<>(),
                new TreeMap<>(),
                counts,
                Map.of(),
                target,
                objective,
                objectives);
    }

    public Counts all() {
        return sum(counts);
    }

    static Counts sum(SortedMap<Instant, Counts> counts) {
        return counts.values().stream().reduce(Counts.NONE, Counts::plus);
    }

    /** Blocks in which the canary's own stalls made most of the bad probes. */
    public int starvedBlocks() {
        return (int) counts.values().stream().filter(Counts::starved).count();
    }

    /** Blocks with probes of which the canary does not say whether it was starved. */
    public int blocksUnknown() {
        return (int) counts.values().stream()
                .filter(each -> each.probes() > 0 && !each.ownBadKnown())
                .count();
    }

    /** Whether the canary was starved whenever it measured. */
    public boolean starvedThroughout() {
        return starvedBlocks() > 0
                && counts.values().stream().filter(each -> each.probes() > 0).allMatch(Counts::starved);
    }
}
