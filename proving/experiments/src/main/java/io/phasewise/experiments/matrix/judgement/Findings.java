/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.judgement;

import java.util.ArrayList;
import java.util.List;

/**
 * What a judge finds.
 *
 * @param faults what is not as declared
 * @param unknown what cannot be judged, and why
 */
record Findings(List<String> faults, List<String> unknown) {
    Findings() {
        this(new ArrayList<>(), new ArrayList<>());
    }

    /** Notes a fault where the condition holds. */
    void faultIf(boolean wrong, String said) {
        if (wrong) {
            faults.add(said);
        }
    }

    /** Notes all that another judge found. */
    void add(Findings other) {
        faults.addAll(other.faults);
        unknown.addAll(other.unknown);
    }
}
