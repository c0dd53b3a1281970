/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.canary.probe.ledger.Delivery;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetLogTest {
    private static final long MS = 1_000_000;
    private static final int LEADER = 4;

    private final TargetLog log = new TargetLog();

    TargetLogTest() {
        log.lead(Map.of(0, LEADER));
    }

    /**
     * The target's clock may be off by anything, and mirroring may take long: both change nothing.
     */
    @ParameterizedTest
    @CsvSource({"0, 8", "5000, 8", "-5000, 8", "1700000000123, 120", "0, 900"})
    void theStampTellsWhenItCame(long offsetMillis, long mirrorMillis) {
        Random random = new Random(5);
        double off = 0;
        long worst = 0;
        int counted = 0;
        long now = 0;
        for (int i = 0; i < 1_500; i++) {
            long sent = i * 50 * MS + random.nextInt(40_000_000);
            long arrived = sent + mirrorMillis * MS + random.nextInt(9_000_000);
            long delivered = arrived + 400_000 + random.nextInt(2_000_000);
            if (i % 5 == 0) {
                log.roundTrip(LEADER, sent, 600_000);
            }
            long stamp = Math.floorDiv(arrived + offsetMillis * MS, MS);
            long told = log.arrival(0, sent, new Delivery(delivered, stamp, i, -1, 3));
            assertThat(told).isBetween(sent, delivered);
            now = delivered;
            if (i >= 200) {
                off += told - arrived;
                worst = Math.max(worst, Math.abs(told - arrived));
                counted++;
            }
        }
        assertThat(off / counted).as("ns off on the mean").isCloseTo(0, within(0.5 * MS));
        assertThat(worst).isLessThan(2 * MS);
        assertThat(log.uncertaintyNanos(0, now).getAsLong())
                .as("covers the fastest mirroring")
                .isGreaterThan(mirrorMillis * MS - MS);
        assertThat(log.appendTimeMissing()).isFalse();
    }

    @Test
    void withoutLogAppendTimeItsDeliveryLessTheWayBackIsTheFirstEvidenceAndThatIsSaid() {
        assertThat(log.appendTimeMissing()).as("nothing seen yet").isFalse();
        log.roundTrip(LEADER, 0, 4 * MS);

        assertThat(log.arrival(0, 0, new Delivery(50 * MS, Delivery.NO_APPEND_TIME, 0)))
                .isEqualTo(48 * MS);
        assertThat(log.appendTimeMissing()).isTrue();
        assertThat(log.uncertaintyNanos(0, 50 * MS)).isEmpty();
    }

    @Test
    void whatAFollowerOfTheTargetGaveHasTheDelayOfTheFollower() {
        log.roundTrip(LEADER, 0, 80 * MS);
        log.roundTrip(9, 0, 2 * MS);

        Delivery near = new Delivery(50 * MS, Delivery.NO_APPEND_TIME, 0, 9, 3);

        assertThat(log.wayBackNanos(0, near)).isEqualTo(MS);
        assertThat(log.arrival(0, 0, near)).isEqualTo(49 * MS);
    }

    @Test
    void aNewLeadersClockIsNotMistakenForItsPredecessors() {
        log.roundTrip(LEADER, 0, MS);
        for (int i = 0; i < 100; i++) {
            arriveAfterTenMillis(i, 0, 3);
        }

        long told = arriveAfterTenMillis(100, 40, 4);

        assertThat(told - sent(100))
                .as("its clock is 40 ms ahead, and that is all that is new")
                .isCloseTo(10 * MS, within(2 * MS));
        assertThat(arriveAfterTenMillis(101, 0, 3) - sent(101))
                .as("a straggler of the former leader's")
                .isCloseTo(10 * MS, within(2 * MS));
        assertThat(arriveAfterTenMillis(102, 40, 4) - sent(102)).isCloseTo(10 * MS, within(2 * MS));
    }

    private long arriveAfterTenMillis(int i, long aheadMillis, int epoch) {
        long arrived = sent(i) + 10 * MS;
        return log.arrival(0, sent(i), new Delivery(arrived + MS, arrived / MS + aheadMillis, i, -1, epoch));
    }

    private static long sent(int i) {
        return i * 50 * MS;
    }
}
