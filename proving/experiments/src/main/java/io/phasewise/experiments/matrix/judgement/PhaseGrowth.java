/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.judgement;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.matrix.row.Expectation;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * By how much each phase's mean grew while a fault lasted, and whether that is as declared; pure.
 *
 * @param before means before the fault, milliseconds
 * @param during means while it lasted, milliseconds
 * @param after means after it was mended, milliseconds
 */
public record PhaseGrowth(Map<Phase, Double> before, Map<Phase, Double> during, Map<Phase, Double> after) {
    /**
     * At least this share of what the fault adds must be in its phase, and at most the rest in any
     * other phase.
     */
    public static final double RIGHT_SHARE = 0.95;

    /**
     * At most this multiple of what the fault adds may be in its phase: more than happened is wrong
     * too.
     */
    public static final double MOST_SHARE = 1.25;

    /** All phases together move by less than this, milliseconds, when only the machine is busy. */
    static final double MOVES_MS = 25;

    /** Growth of each phase against the mean of before and after, milliseconds. */
    public Map<Phase, Double> added() {
        Map<Phase, Double> added = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            added.put(phase, during.get(phase) - (before.get(phase) + after.get(phase)) / 2);
        }
        return added;
    }

    /**
     * How far the mean of before and after may be wrong, milliseconds: half of their difference.
     */
    public double wander() {
        return Math.abs(total(after) - total(before)) / 2;
    }

    private double wander(Phase phase) {
        return Math.abs(after.get(phase) - before.get(phase)) / 2;
    }

    /**
     * Judges. A difference that the machine may have made by itself is unknown, not a fault.
     *
     * @param amount what the fault adds to a probe, milliseconds
     */
    Findings against(Expectation expect, double amount) {
        Findings judged = new Findings();
        Map<Phase, Double> added = added();
        double most = amount;
        for (Map.Entry<Phase, Double> share : expect.shares().entrySet()) {
            Phase phase = share.getKey();
            double due = share.getValue() * amount;
            double found = added.get(phase);
            most = Math.max(most, found);
            double margin = Math.min(found - RIGHT_SHARE * due, MOST_SHARE * due - found);
            judge(margin, wander(phase), share(phase.label(), found, due), judged);
        }
        double elsewhere = (1 - RIGHT_SHARE) * most;
        if (!expect.shares().isEmpty()) {
            added.forEach((phase, grown) -> {
                if (!expect.shares().containsKey(phase) && !expect.besides().contains(phase)) {
                    String said = text("%s grew by %.1f ms, too", phase.label(), grown);
                    judge(elsewhere - grown, wander(phase), said, judged);
                }
            });
        }
        if (!expect.top().isEmpty()) {
            judgeTop(expect.top(), added, judged);
        }
        if (expect.unmoved()) {
            double moved = added.values().stream().mapToDouble(Math::abs).sum();
            judge(MOVES_MS - moved, wander(), text("phases moved by %.1f ms", moved), judged);
        }
        return judged;
    }

    /** How much a phase grew, and as a share of what the fault added, for people. */
    static String share(String phase, double found, double due) {
        return text(
                "%s grew by %.1f ms, %.0f %% of the %.1f ms that the fault added",
                phase, found, 100 * found / due, due);
    }

    /**
     * Notes a fault where the margin is below zero. It is unknown within the wander of the machine.
     */
    private static void judge(double margin, double wander, String said, Findings judged) {
        if (Double.isNaN(margin) || margin < -wander) {
            judged.faults().add(said);
        } else if (margin < wander && margin != 0) {
            judged.unknown().add(said + text(", known to %.1f ms", wander));
        }
    }

    private void judgeTop(Set<Phase> declared, Map<Phase, Double> added, Findings judged) {
        double usual = (total(before) + total(after)) / 2;
        double grown = total(added);
        if (!(grown >= Math.min(MOVES_MS, usual) && grown > 2 * wander())) {
            judged.faults().add(text("probes took %.1f ms longer: too little to show an effect", grown));
            return;
        }
        Phase top = added.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .get()
                .getKey();
        List<String> labels = declared.stream().map(Phase::label).sorted().toList();
        String said = "%s grew most, by %.1f ms; declared: %s";
        judged.faultIf(!declared.contains(top), text(said, top.label(), added.get(top), labels));
    }

    private static double total(Map<Phase, Double> means) {
        return means.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private static String text(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}
