/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BeanReaderTest {
    private static final Duration SOON = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofSeconds(50);
    private static final MetricSnapshots ONE =
            new MetricSnapshots(GaugeSnapshot.builder().name("one").build());

    private final CountDownLatch disk = new CountDownLatch(1);
    private final CountDownLatch read = new CountDownLatch(1);

    @Test
    void aBeanThatHangsIsGivenUpAndReadAgainOnceItHasAnswered() throws Exception {
        BeanReader reader = new BeanReader(() -> List.of(this::fromDisk));

        assertThat(reader.read(SOON).failure)
                .hasValueSatisfying(within -> assertThat(within).contains("50 ms"));
        // Were it waited for, this would take as long as the test may.
        assertThat(reader.read(LONG).failure).hasValue("beans still do not answer");

        disk.countDown();
        read.await();
        CollectedMetrics complete = reader.read(LONG);
        while (complete.failure.isPresent()) { // the first one ends
            complete = reader.read(LONG);
        }
        assertThat(complete.snapshots).hasSize(1);
    }

    @Test
    void oneThatFailsTakesNoOtherWithIt() throws Exception {
        MultiCollector failing = () -> {
            throw new IllegalStateException("gone");
        };
        CollectedMetrics reading = new BeanReader(() -> List.of(failing, () -> ONE)).read(LONG);

        assertThat(reading.snapshots).hasSize(1);
        assertThat(reading.failure).hasValue("java.lang.IllegalStateException: gone");
    }

    private MetricSnapshots fromDisk() {
        try {
            disk.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        read.countDown();
        return ONE;
    }
}
