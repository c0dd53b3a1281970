/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HiccupMeterTest {
    @Test
    void aFaultIsCountedAndMeasuringGoesOn() {
        List<Throwable> faults = new CopyOnWriteArrayList<>();
        AtomicInteger measured = new AtomicInteger();
        HiccupMeter meter =
                new HiccupMeter(
                        new Supervisor(System::nanoTime),
                        new Stalls(20_000_000, System::nanoTime),
                        lateness -> {
                            if (measured.incrementAndGet() == 2) {
                                throw new IllegalStateException("a fault");
                            }
                        },
                        faults::add,
                        System::nanoTime);
        meter.start();
        try {
            await().atMost(Duration.ofSeconds(10)).until(() -> measured.get() > 10);
        } finally {
            meter.stop();
        }
        assertThat(faults).hasSize(1).first().isInstanceOf(IllegalStateException.class);
    }
}
