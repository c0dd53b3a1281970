/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.common.phase.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * By how much a fault made a canary's phases grow, held against what is expected from both sides;
 * pure.
 *
 * @param expected of the fault's phase, seconds
 * @param seconds by phase, over what was without the fault before and after
 * @param remote the same of the produce requests' remote time, as Kafka has it: a commit that the
 *     leader itself waited for is no error, whoever made it late
 */
record Growth(double expected, Map<Phase, Double> seconds, double remote) {
    /** Where arithmetic gives the value, no more than so much of it may be reported. */
    static final double MOST = 1.25;

    /**
     * What is wrong with it; empty where nothing is.
     *
     * @param where the fault belongs
     * @param not phases that it cannot touch
     * @param least share of what is expected that must be there, below 1; its inverse is the most
     *     where that is more than {@link #MOST}
     */
    List<String> wrong(Phase where, Set<Phase> not, double least) {
        List<String> wrong = new ArrayList<>();
        double found = seconds.get(where);
        if (!(found >= least * expected)) {
            wrong.add("too little " + where);
        }
        if (!(found <= Math.max(MOST, 1 / least) * expected)) {
            wrong.add("too much " + where);
        }
        for (Phase other : not) {
            double waited = other == Phase.COMMIT ? remote : 0;
            if (!(seconds.get(other) - waited <= (1 - least) * expected)) {
                wrong.add("too much " + other);
            }
        }
        return wrong;
    }
}
