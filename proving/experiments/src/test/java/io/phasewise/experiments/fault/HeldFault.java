/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * For whom probes waited while a fault held, beyond what they wait without it, held against what the fault added; pure.
 *
 * @param declared whom the fault makes probes wait for: declared before it ran. Several are judged by their sum
 * @param beside others whom the same fault makes these probes wait for, which are judged by what it added for them
 * @param bounds of what they are to have
 * @param added seconds that the fault added to all probes, by its own log or by the witness
 * @param waits seconds by whom they were waited for
 */
record HeldFault(Set<Whose> declared, Set<Whose> beside, Bounds bounds, double added, Map<Whose, Double> waits) {
    /** Nobody else has more than so much of what was added; nor is more of it unknown. */
    static final double OTHERS = 0.05;

    private static final String UNKNOWN = "unknown";

    /**
     * A part of an account.
     *
     * @param broker its id; {@value #NONE} where the role has none
     */
    record Whose(String broker, String role) {
        /** As the metric's label has it. */
        static final String NONE = "none";

        static Whose of(int broker, String role) {
            return new Whose(Integer.toString(broker), role);
        }

        @Override
        public String toString() {
            return broker.equals(NONE) ? role : role + " of " + broker;
        }
    }

    /** How much of what was added is to be in the account of those declared, as shares. */
    enum Bounds {
        /** What the fault's own log says: pauses and delays. */
        LOG(0.95, 1.05),
        /** What a witness of threads saw. */
        WITNESS(0.90, 1.10);

        private final double least;
        private final double most;

        Bounds(double least, double most) {
            this.least = least;
            this.most = most;
        }
    }

    /** What is wrong with it; empty where nothing is. */
    List<String> wrong() {
        List<String> wrong = new ArrayList<>();
        if (!(added > 0)) {
            wrong.add("nothing was added");
            return wrong;
        }
        if (!(share() >= bounds.least && share() <= bounds.most)) {
            wrong.add(text("%s: %.1f %% of what was added", declared, 100 * share()));
        }
        waits.forEach((whose, seconds) -> {
            if (!isJudged(whose) && !(seconds <= OTHERS * added)) {
                wrong.add(text("%s: %.1f %% of what was added", whose, 100 * seconds / added));
            }
        });
        if (!(unknown() <= OTHERS)) {
            wrong.add(text("unknown: %.1f %% of what was added", 100 * unknown()));
        }
        return wrong;
    }

    private boolean isJudged(Whose whose) {
        return declared.contains(whose) || beside.contains(whose) || whose.role.equals(UNKNOWN);
    }

    /** What those declared have, as a share of what was added. */
    double share() {
        return declared.stream()
                        .mapToDouble(each -> waits.getOrDefault(each, 0.0))
                        .sum()
                / added;
    }

    /** What is unknown, of all brokers, as a share of what was added. */
    double unknown() {
        return waits.entrySet().stream()
                        .filter(each -> each.getKey().role.equals(UNKNOWN))
                        .mapToDouble(Map.Entry::getValue)
                        .sum()
                / added;
    }

    /** Who else has most of it, for people. */
    String largestOther() {
        return waits.entrySet().stream()
                .filter(each -> !isJudged(each.getKey()))
                .max(Map.Entry.comparingByValue())
                .map(each -> text("%s %.1f %%", each.getKey(), 100 * each.getValue() / added))
                .orElse("nobody");
    }

    private static String text(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}
