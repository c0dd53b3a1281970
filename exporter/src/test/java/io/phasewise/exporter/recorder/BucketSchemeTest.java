/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketSchemeTest {

    private static final long[] CLASSIC = {10_000, 1_000_000, 31_500_000, 1_000_000_000};
    private static final long LIMIT = 4_096_000_000_000L;
    private static final MathContext DIGITS = new MathContext(50);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8})
    void everyEdgeSeparatesItsBucketFromTheNext(int schema) {
        BucketScheme scheme = new BucketScheme(schema, CLASSIC);
        // From half a microsecond on every bucket is wider than a nanosecond.
        int first = -21 << schema;
        for (int index = first; index <= 12 << schema; index++) {
            if (Math.floorMod(index, 1 << schema) == 0) {
                continue; // A whole number of nanoseconds or of seconds: tested below.
            }
            // Where 10^9 * 2^(index / 2^schema) is: raised to the power of 2^schema there is no
            // root in it, and whole numbers can be compared without any rounding.
            long last = guess(schema, index);
            assertThat(isWithin(schema, index, last)).isTrue();
            assertThat(isWithin(schema, index, last + 1)).isFalse();

            assertThat(scheme.nativeIndex(scheme.cell(last))).isEqualTo(index);
            assertThat(scheme.nativeIndex(scheme.cell(last + 1))).isEqualTo(index + 1);
        }
    }

    @Test
    void classicBoundsHoldTheDurationsUpToThem() {
        BucketScheme scheme = new BucketScheme(7, CLASSIC);
        for (int i = 0; i < CLASSIC.length; i++) {
            assertThat(scheme.classicIndex(scheme.cell(CLASSIC[i]))).isEqualTo(i);
            assertThat(scheme.classicIndex(scheme.cell(CLASSIC[i] + 1))).isEqualTo(i + 1);
        }
        assertThat(scheme.classicIndex(scheme.cell(1))).isZero();
        assertThat(scheme.classicIndex(scheme.cell(Long.MAX_VALUE))).isEqualTo(CLASSIC.length);
        assertThat(scheme.classicSeconds()).containsExactly(1e-5, 1e-3, 0.0315, 1, Double.POSITIVE_INFINITY);
    }

    @Test
    void aPowerOfTwoOfSecondsEndsItsBucket() {
        BucketScheme scheme = new BucketScheme(7, CLASSIC);
        // 2^-9 s is the last that is a whole number of nanoseconds.
        for (int exponent = -9; exponent <= 12; exponent++) {
            long nanos = (1_000_000_000L << 12) >> (12 - exponent);
            int index = 128 * exponent;
            assertThat(scheme.nativeIndex(scheme.cell(nanos))).isEqualTo(index);
            assertThat(scheme.nativeIndex(scheme.cell(nanos + 1))).isEqualTo(index + 1);
        }
    }

    @Test
    void whatIsLongerThanTheLastBucketIsInOneMore() {
        BucketScheme scheme = new BucketScheme(7, CLASSIC);
        assertThat(scheme.cell(LIMIT + 1))
                .isEqualTo(scheme.cell(Long.MAX_VALUE))
                .isEqualTo(scheme.cells() - 1);
        assertThat(scheme.nativeIndex(scheme.cell(Long.MAX_VALUE))).isEqualTo(12 * 128 + 1);
    }

    /** Whether nanos <= 10^9 * 2^(index / 2^schema), found without a root. */
    private static boolean isWithin(int schema, int index, long nanos) {
        BigDecimal power = BigDecimal.valueOf(nanos).divide(BigDecimal.valueOf(1_000_000_000L));
        for (int i = 0; i < schema; i++) {
            power = power.pow(2, DIGITS);
        }
        BigDecimal edge = index >= 0
                ? BigDecimal.valueOf(2).pow(index, DIGITS)
                : BigDecimal.ONE.divide(BigDecimal.valueOf(2).pow(-index, DIGITS), DIGITS);
        return power.compareTo(edge) <= 0;
    }

    private static long guess(int schema, int index) {
        long near = (long) (1e9 * StrictMath.pow(2, (double) index / (1 << schema)));
        while (isWithin(schema, index, near + 1)) {
            near++;
        }
        while (!isWithin(schema, index, near)) {
            near--;
        }
        return near;
    }
}
