/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;

/** How often intervals of percentiles hold the truth, by simulation with fixed seeds. */
final class CoverageOfIntervals {
    private static final int RUNS = 200;
    private static final int HOURS = 168;
    private static final int PROBES = 100;
    private static final double Z99 = 2.3263478740408408;

    private CoverageOfIntervals() {}

    interface Source {
        Synthetic seeded(long seed);
    }

    static void assertHolds(Source source) {
        int medians = 0;
        int tails = 0;
        for (int run = 0; run < RUNS; run++) {
            Synthetic synthetic = source.seeded(1000 + run);
            Percentiles percentiles =
                    Percentiles.of(Synthetic.histograms(synthetic.hours(HOURS, PROBES)));
            medians += holds(percentiles.at(0.5, 0.95), synthetic.truth(0)) ? 1 : 0;
            tails += holds(percentiles.at(0.99, 0.95), synthetic.truth(Z99)) ? 1 : 0;
        }
        assertThat(medians / (double) RUNS).as("p50").isBetween(0.92, 0.98);
        assertThat(tails / (double) RUNS).as("p99").isBetween(0.92, 0.98);
    }

    private static boolean holds(Estimate estimate, double truth) {
        return estimate.low() <= truth && truth <= estimate.high();
    }
}
