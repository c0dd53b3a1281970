/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.ping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.it.TestClusters;
import io.phasewise.canary.phases.OneWayDelay;
import io.phasewise.lab.fault.FaultyLink;
import io.phasewise.lab.junit.SharedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Round trips to a real broker, one that nothing reaches for a while, and none at all. */
class BrokerPingIT {
    @RegisterExtension static final SharedCluster CLUSTER = TestClusters.SHARED;

    private static final Node NOWHERE = new Node(9, "127.0.0.1", 1);
    private static final int TIMEOUT_MS = 1_000;

    @Test
    void roundTripIsShortFailsWhileNothingReachesTheBrokerAndComesBack() throws Exception {
        List<Long> roundTrips = new ArrayList<>();
        try (FaultyLink link = FaultyLink.open("ping", 0, CLUSTER.get().broker(1).port());
                BrokerPing ping =
                        BrokerPing.open(
                                CLUSTER.get().clientProperties(),
                                "ping",
                                Duration.ofMillis(10),
                                TIMEOUT_MS,
                                (id, now, nanos) -> {
                                    if (id == 1) {
                                        roundTrips.add(nanos);
                                    }
                                },
                                System::nanoTime)) {
            Node broker = new Node(1, "127.0.0.1", link.port());
            OneWayDelay delay = OneWayDelay.ordinary();
            turnUntil(ping, broker, () -> roundTrips.size() >= 50);
            roundTrips.forEach(nanos -> delay.observe(System.nanoTime(), nanos));
            assertThat(delay.nanos(System.nanoTime(), OptionalLong.empty()))
                    .isBetween(1_000L, TimeUnit.MILLISECONDS.toNanos(50));

            link.there().pause();
            int before = roundTrips.size();
            // One request is given up, another one is under way.
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS * 3 / 2);
            turnUntil(ping, broker, () -> System.nanoTime() - end > 0);
            assertThat(roundTrips.size())
                    .as("one may have been answered already")
                    .isLessThanOrEqualTo(before + 1);

            link.there().resume();
            turnUntil(ping, broker, () -> roundTrips.size() > before + 2);
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
