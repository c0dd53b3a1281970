/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.phasewise.canary.phase.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Stretches of time without and with faults that take turns, so that all share whatever else the
 * machine is busy with; the faults are the caller's.
 *
 * <p>A round in which the canary's own watch says that its host stood still (more than three times
 * in ten seconds, for longer than it takes for probes to be marked) is measured again, half as
 * often as there are rounds at the most; after that the least disturbed ones count. Where most of
 * even those have more than two standstills a second, the machine cannot measure anything, and the
 * test is given up as not run. Nothing else repeats a round, and none is left out for what it shows
 * of the phases.
 */
final class Rounds {
    /** Standstills a second. */
    private static final double DISTURBED = 0.3;

    private static final double HOPELESS = 2;

    /** Measures one round: by the name of what is done to the cluster, equally many stretches. */
    interface Measurement {
        Map<String, List<Stretch>> measure() throws Exception;
    }

    private final List<Map<String, List<Stretch>>> rounds;

    private Rounds(List<Map<String, List<Stretch>>> rounds) {
        this.rounds = rounds;
    }

    /** Measures so many rounds that count. */
    static Rounds of(int count, Measurement measurement) throws Exception {
        List<Map<String, List<Stretch>>> all = new ArrayList<>();
        int calm = 0;
        while (calm < count && all.size() < count + count / 2) {
            Map<String, List<Stretch>> round = measurement.measure();
            all.add(round);
            if (standstills(round) <= DISTURBED) {
                calm++;
            }
        }
        all.sort(Comparator.comparingDouble(Rounds::standstills));
        List<Map<String, List<Stretch>>> best = List.copyOf(all.subList(0, count));
        double median = standstills(best.get(count / 2));
        System.out.printf(
                Locale.ROOT,
                "%s: %d rounds measured, %d calm; %.1f standstills of the host a second%n",
                all.get(0).keySet(),
                all.size(),
                calm,
                median);
        assumeTrue(
                median <= HOPELESS, "the host stands still so often that nothing can be measured");
        return new Rounds(best);
    }

    private static double standstills(Map<String, List<Stretch>> round) {
        return round.values().stream()
                .flatMap(List::stream)
                .mapToDouble(Stretch::standstills)
                .average()
                .orElseThrow();
    }

    /** The stretches of that name, in the order of {@link Growth#pairs}. */
    List<Stretch> stretches(String name) {
        return rounds.stream().flatMap(round -> round.get(name).stream()).toList();
    }

    /** What one thing adds to another for probes of one profile by way of some leaders. */
    Growth growth(String what, String from, String to, String profile, int... leaders) {
        List<Map<Phase, Double>> pairs = new ArrayList<>();
        for (int i = 0; i < stretches(from).size(); i++) {
            pairs.add(
                    stretches(to)
                            .get(i)
                            .sums(profile, leaders)
                            .minus(stretches(from).get(i).sums(profile, leaders)));
        }
        return new Growth(what, pairs);
    }
}
