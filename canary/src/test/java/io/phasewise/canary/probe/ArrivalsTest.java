/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.apache.commons.math3.stat.correlation.PearsonsCorrelation;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
    private static final long START = -5_000_000_000L; // nanoTime may be negative

    @Test
    void poissonGapsHaveTheMeanAndTheSpreadOfAnExponential() {
        int n = 200_000;
        long[] gaps = gaps(new PoissonArrivals(START, 20, 1, 0), n);

        DescriptiveStatistics of = new DescriptiveStatistics(doubles(gaps));

        // The standard error of the mean is mean / sqrt(n): five of them.
        assertThat(of.getMean()).isCloseTo(50e6, within(5 * 50e6 / Math.sqrt(n)));
        assertThat(of.getStandardDeviation() / of.getMean()).isCloseTo(1, within(0.02));
    }

    @Test
    void theStreamsOfASeedAreIndependentOfEachOtherAndOfTheNextSeeds() {
        int n = 20_000;
        PearsonsCorrelation correlation = new PearsonsCorrelation();
        long[] one = gaps(new PoissonArrivals(START, 20, 6, 0), n);

        for (PoissonArrivals other : List.of(
                new PoissonArrivals(START, 20, 6, 1),
                new PoissonArrivals(START, 20, 7, 0),
                new PoissonArrivals(START, 20, 5, 1))) {
            // The correlation of independent series has the standard error 1 / sqrt(n): five of it.
            assertThat(correlation.correlation(doubles(one), doubles(gaps(other, n))))
                    .isCloseTo(0, within(5 / Math.sqrt(n)));
        }
        assertThat(gaps(new PoissonArrivals(START, 20, 6, 1), 10))
                .isNotEqualTo(gaps(new PoissonArrivals(START, 20, 7, 0), 10));
    }

    private static double[] doubles(long[] gaps) {
        return LongStream.of(gaps).asDoubleStream().toArray();
    }

    @Property
    void arrivalsNeverGoBack(@ForAll @DoubleRange(min = 0.1, max = 1000) double rate, @ForAll long seed) {
        assertThat(LongStream.of(gaps(new PoissonArrivals(START, rate, seed, 0), 200)))
                .allMatch(gap -> gap >= 0);
        assertThat(LongStream.of(gaps(new UniformArrivals(START, rate), 200))).allMatch(gap -> gap > 0);
    }

    @Test
    void uniformArrivalsDoNotDrift() {
        UniformArrivals arrivals = new UniformArrivals(START, 3); // 333333333.3... ns
        long last = 0;
        for (int i = 0; i <= 3_000_000; i++) {
            last = arrivals.next();
        }
        assertThat(last - START).isEqualTo(1_000_000_000_000_000L);
    }

    private static long[] gaps(Arrivals arrivals, int n) {
        long[] gaps = new long[n];
        long before = START;
        for (int i = 0; i < n; i++) {
            long next = arrivals.next();
            gaps[i] = next - before;
            before = next;
        }
        if (arrivals instanceof UniformArrivals) {
            gaps[0] = gaps[1]; // the first arrival is the start itself
        }
        return gaps;
    }
}
