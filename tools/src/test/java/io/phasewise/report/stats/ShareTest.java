/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShareTest {

    private static final int RUNS = 200;
    private static final int HOURS = 168;
    private static final int PROBES = 100;

    /** Standard normal above which lie 5 of 10,000 probes. */
    private static final double RARE = 3.2905;

    private static final double TRUTH = 5e-4;

    @Test
    void whereNoneIsBadTheIntervalAllowsForBadOnesComingTogether() {
        int missed = 0;
        int missedAsIndependent = 0;
        for (int run = 0; run < RUNS; run++) {
            Synthetic synthetic = new Synthetic(run, 0.003, 0.2, 1, 0.9, 0);
            double target = synthetic.truth(RARE);
            List<Histogram> hours = synthetic.hours(HOURS, PROBES);
            double[] all = hours.stream().mapToDouble(Histogram::count).toArray();
            double[] bad = hours.stream()
                    .mapToDouble(hour -> Math.rint(hour.count() - hour.atMost(target)))
                    .toArray();
            if (Arrays.stream(bad).sum() == 0) {
                double worth = Percentiles.of(hours).worth();
                missed += Share.of(bad, all, 0.95, worth).high() < TRUTH ? 1 : 0;
                missedAsIndependent += Share.of(bad, all, 0.95, 1e9).high() < TRUTH ? 1 : 0;
            }
        }
        assertThat(missed).isLessThanOrEqualTo(RUNS / 20);
        assertThat(missedAsIndependent).isGreaterThan(RUNS / 2);
    }

    @Test
    void ofWhatIsWorthNothingNothingIsKnown() {
        Share share = Share.of(new double[] {10}, new double[] {10}, 0.95, 0);
        assertThat(share.value()).isEqualTo(1);
        assertThat(share.low()).isZero();
        assertThat(share.high()).isEqualTo(1);
    }
}
