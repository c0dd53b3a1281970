/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.measure.Phase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
    private static final double RIGHT_SHARE = 0.9;

    /** A standstill's amount is arithmetic of its planned length; what really stood differs. */
    private static final double LEAST_FOUND = 0.5;

    /** Before and after must be alike to so much of what was injected for a judgement. */
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
     * Whether the probes felt the fault: they took longer by {@link #MOVES_MS}, or, where that is
     * less, by as much as they take without it, and by more than before and after differ.
     */
    boolean felt() {
        double usual = (total(before) + total(after)) / 2;
        double noise = Math.abs(total(after) - total(before));
        return moved() >= Math.min(MOVES_MS, usual) && moved() > noise;
    }

    /** Why nothing can be said of the phases; empty when something can. */
    String tooNoisy() {
        double noise = Math.abs(total(after) - total(before));
        double most =
                switch (row.effect()) {
                    case MOVES_PHASES -> MOST_NOISE * row.injectedMillis();
                    case MOVES_NO_PHASE -> MOST_NOISE * MOVES_MS;
                    case IS_FELT, LOSES_NOTHING -> Double.POSITIVE_INFINITY;
                };
        // NaN, where no probe told, is not quiet either.
        boolean quiet = noise <= most || most == Double.POSITIVE_INFINITY;
        return !quiet
                ? String.format(
                        Locale.ROOT,
                        "too busy to judge: without the fault a probe took %.0f ms before and %.0f"
                                + " ms after",
                        total(before),
                        total(after))
                : "";
    }

    /** What is wrong with the phases. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (row.moved().isEmpty()) {
            return faults;
        }
        Map<Phase, Double> added = added();
        double right = 0;
        double all = 0;
        // Between runs every phase wanders a little, up and down: not a misattribution.
        double wander = Math.abs(total(after) - total(before));
        for (Phase phase : Phase.values()) {
            all += Math.abs(added.get(phase));
            right += row.moved().containsKey(phase) ? Math.abs(added.get(phase)) : 0;
        }
        if (all - right - wander > (1 - RIGHT_SHARE) * all) {
            faults.add(
                    String.format(
                            Locale.ROOT,
                            "only %.0f %% of what was added is in %s",
                            100 * right / all,
                            row.moved().keySet().stream().map(Phase::label).toList()));
        }
        row.moved()
                .forEach(
                        (phase, injected) -> {
                            if (!(added.get(phase) >= LEAST_FOUND * injected)) {
                                faults.add(
                                        String.format(
                                                Locale.ROOT,
                                                "%s grew by %.0f ms, injected were %.0f",
                                                phase.label(),
                                                added.get(phase),
                                                injected));
                            }
                        });
        return faults;
    }

    private static double total(Map<Phase, Double> means) {
        return means.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
