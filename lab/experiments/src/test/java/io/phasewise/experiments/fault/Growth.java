/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.common.phase.Phase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * By how much a fault made a canary's phases grow, held against what is expected from both sides;
 * pure.
 *
 * @param expected of the fault's phase, seconds
 * @param seconds by phase, over what was before the fault
 */
record Growth(double expected, Map<Phase, Double> seconds) {
    /** Where arithmetic gives the value, no more than so much of it may be reported. */
    static final double MOST = 1.25;

    /**
     * What is wrong with it; empty where nothing is.
     *
     * @param where the fault belongs
     * @param not phases that it cannot touch
     * @param least share of what is expected that must be there, below 1; its inverse is the most
     *     where that is more than {@link #MOST}
     * @param before means before the fault, seconds
     * @param after means after it. A machine that was busier before than after would hide what the
     *     fault added: the difference counts for it where there is too little, and nowhere else
     */
    List<String> wrong(Phase where, Set<Phase> not, double least, Map<Phase, Double> before, Map<Phase, Double> after) {
        List<String> wrong = new ArrayList<>();
        double found = seconds.get(where);
        double hidden = Math.max(0, before.get(where) - after.get(where));
        if (!(found + hidden >= least * expected)) {
            wrong.add("too little " + where);
        }
        if (!(found <= Math.max(MOST, 1 / least) * expected)) {
            wrong.add("too much " + where);
        }
        for (Phase other : not) {
            if (!(seconds.get(other) <= (1 - least) * expected)) {
                wrong.add("too much " + other);
            }
        }
        return wrong;
    }

    /** As {@link #wrong}, where nothing was measured after the fault. */
    List<String> wrong(Phase where, Set<Phase> not, double least) {
        Map<Phase, Double> same = new EnumMap<>(Phase.class);
        seconds.keySet().forEach(phase -> same.put(phase, 0.0));
        return wrong(where, not, least, same, same);
    }
}
