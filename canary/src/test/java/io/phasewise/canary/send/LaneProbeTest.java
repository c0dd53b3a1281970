/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.phases.Attribution;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LaneProbeTest {
    private static final Duration BOUND = Duration.ofSeconds(10);

    private final SendTestBed bed = new SendTestBed(Attribution.CRITICAL_PATH, 1);

    @Test
    void twoProbesWithEachOtherInFrontCannotBlockEachOther() throws Exception {
        LaneProbe one = new LaneProbe(bed.ledger.scheduled(0, 10));
        LaneProbe two = new LaneProbe(bed.ledger.scheduled(0, 11));
        one.granted(behind(one, two));
        two.granted(behind(two, one));
        AtomicInteger free = new AtomicInteger();
        Thread ends = new Thread(() -> end(one), "ends");
        Thread asks = new Thread(() -> free.set(1 + (int) one.sentAt()), "asks");

        synchronized (two) {
            ends.start();
            await().atMost(BOUND).until(() -> ends.getState() == Thread.State.BLOCKED);
            asks.start();
            asks.join(BOUND.toMillis());
            assertThat(free.get())
                    .as("it waits for the other without its own lock")
                    .isOne();
        }
        ends.join(BOUND.toMillis());
        end(two);

        assertThat(one.stretch(bed.estimator)).isNotNull();
        assertThat(two.stretch(bed.estimator)).isNotNull();
    }

    private boolean end(LaneProbe probe) {
        return probe.decide(false, null, null, List.of(), 100, bed.estimator);
    }

    private static LaneGrant<LaneProbe> behind(LaneProbe probe, LaneProbe front) {
        return new LaneGrant<>(probe, 1, 0, Optional.of(front), 11, 20);
    }
}
