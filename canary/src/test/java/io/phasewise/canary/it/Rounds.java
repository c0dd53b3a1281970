/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.common.phase.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Stretches of time without and with faults that take turns, so that all share whatever else the
 * machine is busy with; the faults are the caller's.
 *
 * <p>A round in which the machine was not fit, by what the kernel told the {@link Referee}, is
 * measured again, as long as there is time; then the test fails and says what the kernel said, and
 * so it does at once where the kernel says too little. Nothing else repeats a round, and none is
 * left out for what the canary says.
 */
final class Rounds {

    /** Measures one round: by the name of what is done to the cluster, equally many stretches. */
    interface Measurement {
        Map<String, List<Stretch>> measure() throws Exception;
    }

    private final List<Map<String, List<Stretch>>> rounds = new ArrayList<>();
    private final List<String> machine = new ArrayList<>();

    private Rounds() {}

    /**
     * Measures so many rounds on a fit machine; the median counts.
     *
     * @param patience after so much time no other round is begun
     */
    static Rounds of(int rounds, Duration patience, Referee referee, Measurement measurement)
            throws Exception {
        return of(rounds, patience, System::nanoTime, referee::watch, measurement);
    }

    /**
     * As {@link #of(int, Duration, Referee, Measurement)}.
     *
     * @param clock monotonic nanoseconds
     * @param referee watches from when it is asked until its answer is
     */
    static Rounds of(
            int rounds,
            Duration patience,
            LongSupplier clock,
            Supplier<Supplier<Fitness>> referee,
            Measurement measurement)
            throws Exception {
        Rounds all = new Rounds();
        long begun = clock.getAsLong();
        while (all.rounds.size() < rounds) {
            if (clock.getAsLong() - begun > patience.toNanos()) {
                throw new AssertionError(
                        "in %d s only %d of %d rounds were measured on a fit machine. By the kernel:\n%s"
                                .formatted(
                                        patience.toSeconds(),
                                        all.rounds.size(),
                                        rounds,
                                        String.join("\n", all.machine)));
            }
            Supplier<Fitness> watch = referee.get();
            Map<String, List<Stretch>> round = measurement.measure();
            Fitness fitness = watch.get();
            all.machine.add((fitness.fit() ? "  fit: " : "  unfit: ") + fitness.reason());
            if (fitness.fit()) {
                all.rounds.add(round);
            }
        }
        return all;
    }

    /** The stretches of that name, in the order of {@link Growth#pairs}. */
    List<Stretch> stretches(String name) {
        return rounds.stream().flatMap(round -> round.get(name).stream()).toList();
    }

    /** What one thing adds to another for probes of one profile through some leaders. */
    Growth growth(String what, String from, String to, String profile, int... leaders) {
        List<Map<Phase, Double>> pairs = new ArrayList<>();
        List<Stretch> before = stretches(from);
        List<Stretch> after = stretches(to);
        for (int i = 0; i < before.size(); i++) {
            pairs.add(
                    after.get(i)
                            .sums(profile, leaders)
                            .minus(before.get(i).sums(profile, leaders)));
        }
        return new Growth(what, pairs, String.join("\n", machine));
    }

    /** What one profile adds to another in the stretches of one name. */
    Growth profiles(String what, String name, String from, String to, int... leaders) {
        return new Growth(
                what,
                stretches(name).stream()
                        .map(s -> s.sums(to, leaders).minus(s.sums(from, leaders)))
                        .toList(),
                String.join("\n", machine));
    }
}
