/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.ping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.clock.OneWayDelay;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Round trips to a real broker, one that stands still, and none at all. */
class BrokerPingIT {

    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final Node NOWHERE = new Node(9, "127.0.0.1", 1);

    @TempDir Path directory;

    @Test
    void roundTripIsShortFailsWhileTheBrokerStandsStillAndComesBack() throws Exception {
        try (KafkaCluster cluster =
                KafkaCluster.builder(ROOT, directory)
                        .shortLived()
                        .brokers(1)
                        .stopGrace(Duration.ZERO)
                        .build()) {
            cluster.start();
            Node broker = cluster.admin().describeCluster().nodes().get().iterator().next();
            List<Long> roundTrips = new ArrayList<>();
            try (BrokerPing ping =
                    BrokerPing.open(
                            cluster.clientProperties(),
                            "ping",
                            Duration.ofMillis(10),
                            1_000,
                            (id, now, nanos) -> {
                                if (id == broker.id()) {
                                    roundTrips.add(nanos);
                                }
                            },
                            System::nanoTime)) {
                OneWayDelay delay =
                        new OneWayDelay(TimeUnit.MINUTES.toNanos(1), TimeUnit.SECONDS.toNanos(2));
                turnUntil(ping, broker, () -> roundTrips.size() >= 50);
                roundTrips.forEach(nanos -> delay.observe(System.nanoTime(), nanos));
                assertThat(delay.nanos(System.nanoTime(), OptionalLong.empty()))
                        .isBetween(1_000L, TimeUnit.MILLISECONDS.toNanos(50));

                cluster.broker(1).pause();
                try {
                    int before = roundTrips.size();
                    long start = System.nanoTime();
                    turnUntil(ping, broker, () -> System.nanoTime() - start > 3_000_000_000L);
                    assertThat(roundTrips.size())
                            .as("one may have been answered already")
                            .isLessThanOrEqualTo(before + 1);
                } finally {
                    cluster.broker(1).resume();
                }
                int before = roundTrips.size();
                turnUntil(ping, broker, () -> roundTrips.size() > before + 1);
            }
        }
    }

    private static void turnUntil(BrokerPing ping, Node broker, BooleanSupplier done) {
        await().pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofSeconds(30))
                .until(
                        () -> {
                            ping.turn(List.of(broker, NOWHERE), Duration.ofMillis(20));
                            return done.getAsBoolean();
                        });
    }
}
