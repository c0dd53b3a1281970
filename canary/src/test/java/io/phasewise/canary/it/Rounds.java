/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.common.phase.Phase;
import io.phasewise.lab.measure.Fitness;
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
    private final List<String> fit = new ArrayList<>();
    private final List<String> unfit = new ArrayList<>();

    private final Rigor rigor;

    private Rounds(Rigor rigor) {
        this.rigor = rigor;
    }

    /**
     * Measures so many rounds on a fit machine. After so much time as there is patience for no
     * other is begun.
     */
    static Rounds of(Rigor rigor, Referee referee, Measurement measurement) throws Exception {
        return of(rigor, System::nanoTime, referee::watch, measurement);
    }

    /**
     * As {@link #of(Rigor, Referee, Measurement)}.
     *
     * @param clock monotonic nanoseconds
     * @param referee watches from when it is asked until its answer is
     */
    static Rounds of(
            Rigor rigor,
            LongSupplier clock,
            Supplier<Supplier<Fitness>> referee,
            Measurement measurement)
            throws Exception {
        Rounds all = new Rounds(rigor);
        long begun = clock.getAsLong();
        while (all.rounds.size() < rigor.rounds()) {
            if (clock.getAsLong() - begun > rigor.patience().toNanos()) {
                throw new AssertionError(
                        "in "
                                + rigor.patience().toSeconds()
                                + " s only "
                                + all.fit.size()
                                + " of "
                                + rigor.rounds()
                                + " rounds were measured on a fit machine. By the kernel:\n"
                                + all.machine());
            }
            Supplier<Fitness> watch = referee.get();
            Map<String, List<Stretch>> round = measurement.measure();
            Fitness fitness = watch.get();
            switch (fitness.ability()) {
                case FIT -> {
                    all.fit.add(fitness.reason());
                    all.rounds.add(round);
                }
                case UNFIT -> all.unfit.add(fitness.reason());
                case UNKNOWN -> throw new AssertionError(fitness.reason());
            }
        }
        return all;
    }

    /** What the kernel said of it, a line for each round. */
    private String machine() {
        List<String> lines = new ArrayList<>();
        unfit.forEach(reason -> lines.add("  unfit: " + reason));
        fit.forEach(reason -> lines.add("  fit: " + reason));
        return String.join("\n", lines);
    }

    /** The stretches of that name, in the order of {@link Growth#pairs}. */
    List<Stretch> stretches(String name) {
        return rounds.stream().flatMap(round -> round.get(name).stream()).toList();
    }

    /** What one thing adds to another for probes of one profile through some leaders. */
    Growth growth(String what, String from, String to, String profile, int... leaders) {
        List<Map<Phase, Double>> pairs = new ArrayList<>();
        for (int i = 0; i < stretches(from).size(); i++) {
            pairs.add(
                    stretches(to)
                            .get(i)
                            .sums(profile, leaders)
                            .minus(stretches(from).get(i).sums(profile, leaders)));
        }
        return new Growth(what, pairs, rigor, machine());
    }

    /** What one profile adds to another in the stretches of one name. */
    Growth profiles(String what, String name, String from, String to, int... leaders) {
        return new Growth(
                what,
                stretches(name).stream()
                        .map(s -> s.sums(to, leaders).minus(s.sums(from, leaders)))
                        .toList(),
                rigor,
                machine());
    }
}
