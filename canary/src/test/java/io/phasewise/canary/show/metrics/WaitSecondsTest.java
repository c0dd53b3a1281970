/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WaitSecondsTest {
    private static final long SECOND = 1_000_000_000;
    private static final long HOUR = Duration.ofHours(1).toNanos();

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final SeriesRegistry series = new SeriesRegistry(registry, Labels.EMPTY, List.of(0.05));
    private final WaitSeconds waits = WaitSeconds.ofPhases(series, new String[] {"prod", "default", "1"});
    private final Account.Builder parts = new Account.Builder();

    private Map<String, Double> shown() {
        Map<String, Double> shown = new TreeMap<>();
        ((CounterSnapshot) registry.scrape(name -> name.startsWith("kafka_canary_wait"))
                        .get(0))
                .getDataPoints()
                .forEach(point -> shown.put(
                        point.getLabels().get("phase") + " " + point.getLabels().get("role") + " "
                                + point.getLabels().get("broker"),
                        point.getValue()));
        return shown;
    }

    @Test
    void everyPartIsCountedForItsBrokerAndRole() {
        for (int i = 0; i < 2; i++) {
            waits.add(
                    parts.add(Phase.PRODUCE, Account.NO_BROKER, Role.CLIENT, SECOND)
                            .add(Phase.COMMIT, 2, Role.DISK, 3 * SECOND)
                            .build(),
                    0);
        }

        assertThat(shown()).isEqualTo(Map.of("produce client none", 2.0, "commit disk 2", 6.0));
    }

    @Test
    void whatHasNotGrownForAnHourEnds() {
        waits.add(
                parts.add(Phase.COMMIT, 2, Role.DISK, SECOND)
                        .add(Phase.COMMIT, 3, Role.DISK, SECOND)
                        .build(),
                0);
        waits.add(parts.add(Phase.COMMIT, 3, Role.DISK, SECOND).build(), 2);
        waits.dropIdle(HOUR);
        assertThat(shown()).hasSize(2);

        waits.dropIdle(HOUR + 1);
        assertThat(shown()).isEqualTo(Map.of("commit disk 3", 2.0));
        waits.add(parts.add(Phase.COMMIT, 2, Role.DISK, 5 * SECOND).build(), HOUR + 2);
        assertThat(shown()).containsEntry("commit disk 2", 5.0);
    }

    @Test
    void oneSeriesTooManyIsCountedAsUnknownAndTheSumStays() {
        int brokers = 3 * WaitSeconds.MOST;
        for (int broker = 0; broker < brokers; broker++) {
            waits.add(parts.add(Phase.COMMIT, broker, Role.PROCESS, SECOND).build(), 0);
        }

        assertThat(shown()).hasSize(WaitSeconds.MOST + 1).containsEntry("commit unknown none", 256.0);
        assertThat(shown().values().stream().mapToDouble(each -> each).sum()).isCloseTo(brokers, within(1e-6));
    }

    @Test
    void whatDidNotComeBackIsCountedApartWithoutPhasesAndItsSumStays() {
        WaitSeconds undelivered = WaitSeconds.ofUndelivered(series, new String[] {"prod", "default", "1"});
        undelivered.add(
                parts.add(Phase.PUBLISH, 2, Role.DISK, SECOND)
                        .add(Phase.COMMIT, 2, Role.DISK, 3 * SECOND)
                        .build(),
                0);
        for (int broker = 0; broker < 100; broker++) {
            undelivered.add(
                    parts.add(Phase.COMMIT, broker, Role.PROCESS, SECOND).build(), 0);
        }

        CounterSnapshot apart = (CounterSnapshot)
                registry.scrape(name -> name.contains("undelivered")).get(0);
        assertThat(apart.getDataPoints()).hasSize(WaitSeconds.MOST_UNDELIVERED + 1);
        assertThat(apart.getDataPoints().stream()
                        .mapToDouble(point -> point.getValue())
                        .sum())
                .isCloseTo(104, within(1e-6));
        assertThat(apart.getDataPoints()).anySatisfy(point -> {
            assertThat(point.getValue()).isEqualTo(4);
            assertThat(point.getLabels().get("role")).isEqualTo("disk");
            assertThat(point.getLabels().contains("phase")).isFalse();
        });
    }
}
