/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** How long a probe's bounds count, where later probes leave more room. */
class OffsetBoundsTest {
    private static final long MILLI = 1_000_000;
    private static final long WINDOW = BrokerClock.MEMORY.toNanos();
    private static final int PPM = 500;

    /**
     * In 20 minutes 500 ppm widen a bound by 600 ms. A path that has become slower by more than
     * that leaves more room still, so that the old bound is the tighter one until it is forgotten.
     */
    @Test
    void eachEndIsForgottenAfterTheWindowWhereThePathHasBecomeSlowerByMoreThanTheDrift() {
        OffsetBounds bounds = new OffsetBounds(WINDOW, PPM);
        bounds.advance(0);
        bounds.add(0, 9 * MILLI, 11 * MILLI);
        long slow = WINDOW - 1_000 * MILLI;
        bounds.advance(slow);
        bounds.add(slow, -1_990 * MILLI, 2_010 * MILLI);
        assertThat(bounds.highestAt(slow)).as("the old bound and its drift").isLessThan(612 * MILLI);
        assertThat(bounds.lowestAt(slow)).as("the old bound and its drift").isGreaterThan(-592 * MILLI);

        long later = WINDOW + MILLI;
        bounds.advance(later);
        assertThat(bounds.highestAt(later)).as("the slow probe's").isCloseTo(2_010 * MILLI, within(MILLI));
        assertThat(bounds.lowestAt(later)).as("the slow probe's").isCloseTo(-1_990 * MILLI, within(MILLI));
    }
}
