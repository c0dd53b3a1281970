/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/** How many standard errors an interval reaches to each side of its value. */
final class Reach {

    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    private Reach() {}

    /**
     * Where the error is estimated too (Student).
     *
     * @param freedom degrees of freedom of the error, 1 or more
     * @param confidence of the interval, between 0 and 1
     */
    static double student(int freedom, double confidence) {
        return TDistribution.of(freedom).inverseCumulativeProbability(0.5 + confidence / 2);
    }

    /**
     * Where the error is known.
     *
     * @param confidence of the interval, between 0 and 1
     */
    static double normal(double confidence) {
        return NORMAL.inverseCumulativeProbability(0.5 + confidence / 2);
    }
}
