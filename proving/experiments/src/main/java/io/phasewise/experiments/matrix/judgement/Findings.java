/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.judgement;

import java.util.ArrayList;
import java.util.List;

/**
 * What judging finds.
 *
 * @param faults what is not as declared
 * @param unknown why it cannot be said of something whether it is
 */
record Findings(List<String> faults, List<String> unknown) {
    Findings() {
        this(new ArrayList<>(), new ArrayList<>());
    }

    /** Notes a fault, where it is one. */
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
