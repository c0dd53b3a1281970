/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.common.phase.Phase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Judges what was added against what was injected; pure.
 *
 * @param row the fault
 * @param before means before it
 * @param during means while it lasted
 * @param after means once it was mended
 */
record Verdict(
        Row row, Map<Phase, Double> before, Map<Phase, Double> during, Map<Phase, Double> after) {
    /** So much of what was added must be in the phases where it was injected. */
    static final double RIGHT_SHARE = 0.9;

    /** What all phases together grew by must be so much of what was injected. */
    static final double LEAST_FOUND = 0.8;

    static final double MOST_FOUND = 1.25;

    /** What the machine may wander by, of what was injected, for a judgement. */
    static final double MOST_WANDER = 0.1;

    /** The same, of {@link #MOVES_MS}, where no phase may move. */
    private static final double MOST_NOISE = 0.25;

    /** All phases together, up or down; a busy machine makes less of a difference by itself. */
    static final double MOVES_MS = 25;

    /** What each phase grew by, against the mean of before and after. */
    Map<Phase, Double> added() {
        Map<Phase, Double> added = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            added.put(phase, during.get(phase) - (before.get(phase) + after.get(phase)) / 2);
        }
        return added;
    }

    /** By how much all phases together moved, up or down; those that no probe told of left out. */
    double moved() {
        return added().values().stream()
                .filter(added -> !Double.isNaN(added))
                .mapToDouble(Math::abs)
                .sum();
    }

    /**
     * How far the mean of before and after may be off, milliseconds: half of what they differ by.
     */
    double wander() {
        return noise() / 2;
    }

    private double noise() {
        return Math.abs(total(after) - total(before));
    }

    /**
     * Whether the probes took longer: by {@link #MOVES_MS}, or, where that is less, by as much as
     * they take without it, and by more than before and after differ.
     */
    boolean slower() {
        return beyondNoise(total(added()));
    }

    /** Whether they took less time, by as much: then the figures cannot be the fault's. */
    boolean faster() {
        return beyondNoise(-total(added()));
    }

    private boolean beyondNoise(double millis) {
        double usual = (total(before) + total(after)) / 2;
        return millis >= Math.min(MOVES_MS, usual) && millis > noise();
    }

    /** Why nothing can be said of the phases; empty when something can. */
    String tooNoisy() {
        boolean quiet =
                switch (row.effect()) {
                    // NaN, where no probe told, is not quiet either.
                    case MOVES_PHASES -> wander() <= MOST_WANDER * row.injectedMillis();
                    case MOVES_NO_PHASE -> noise() <= MOST_NOISE * MOVES_MS;
                    case IS_FELT, LOSES_NOTHING -> true;
                };
        return !quiet
                ? String.format(
                        Locale.ROOT,
                        "run it again on a quieter machine, for without the fault a probe took"
                                + " %.0f ms before and %.0f ms after",
                        total(before),
                        total(after))
                : "";
    }

    /** What is wrong with the phases. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        Map<Phase, Double> added = added();
        if (faster()) {
            faults.add(
                    String.format(
                            Locale.ROOT,
                            "probes took %.0f ms less while it lasted",
                            -total(added)));
        }
        if (row.moved().isEmpty()) {
            return faults;
        }
        double injected = row.injectedMillis();
        double found = total(added);
        if (!(found >= LEAST_FOUND * injected && found <= MOST_FOUND * injected)) {
            faults.add(
                    String.format(
                            Locale.ROOT,
                            "probes took %.0f ms longer, injected were %.0f",
                            found,
                            injected));
        }
        Set<Phase> where = row.moved().keySet();
        double all = moved();
        double wrong = (1 - rightShare(added, where)) * all;
        if (!(wrong - wander() <= (1 - RIGHT_SHARE) * all)) {
            faults.add(
                    String.format(
                            Locale.ROOT,
                            "only %.0f %% of what was added is in %s",
                            100 * rightShare(added, where),
                            where.stream().map(Phase::label).toList()));
        }
        return faults;
    }

    /**
     * The part of all changes, up or down, that lies in some phases and is growth; NaN where no
     * probe told.
     */
    static <P> double rightShare(Map<P, Double> added, Set<P> where) {
        double all = added.values().stream().mapToDouble(Math::abs).sum();
        double right =
                where.stream().mapToDouble(p -> Math.max(0, added.getOrDefault(p, 0.0))).sum();
        return right / all;
    }

    private static double total(Map<Phase, Double> means) {
        return means.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
