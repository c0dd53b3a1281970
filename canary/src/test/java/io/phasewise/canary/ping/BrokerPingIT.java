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
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
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
            try (BrokerPing ping =
                    new BrokerPing(cluster.clientProperties(), "ping", 1_000, System::nanoTime)) {
                OneWayDelay delay =
                        new OneWayDelay(TimeUnit.MINUTES.toNanos(1), TimeUnit.SECONDS.toNanos(2));
                for (int i = 0; i < 50; i++) {
                    long nanos = roundTrip(ping, broker);
                    delay.observe(System.nanoTime(), nanos);
                }
                assertThat(delay.nanos(System.nanoTime(), OptionalLong.empty()))
                        .isBetween(1_000L, TimeUnit.MILLISECONDS.toNanos(50));

                cluster.broker(1).pause();
                try {
                    assertThat(ping.roundTripNanos(broker)).isEmpty();
                } finally {
                    cluster.broker(1).resume();
                }
                roundTrip(ping, broker);
                assertThat(ping.roundTripNanos(NOWHERE)).isEmpty();
            }
        }
    }

    /**
     * The next one that is answered: on a busy machine the broker may take too long, and a broken
     * connection is not tried again at once.
     */
    private static long roundTrip(BrokerPing ping, Node broker) {
        return await().pollInSameThread()
                .pollDelay(Duration.ZERO)
                .atMost(Duration.ofSeconds(30))
                .until(() -> ping.roundTripNanos(broker), OptionalLong::isPresent)
                .getAsLong();
    }
}
