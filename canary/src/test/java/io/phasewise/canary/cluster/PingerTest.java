/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.cluster.ping.PingClient;
import io.phasewise.canary.supervise.Supervisor;
import io.phasewise.canary.topic.TopicState.Broker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PingerTest {
    @Test
    void aFaultIsCountedAndPingingGoesOnWithANewClient() {
        List<Throwable> faults = new CopyOnWriteArrayList<>();
        AtomicInteger made = new AtomicInteger();
        AtomicInteger turns = new AtomicInteger();
        AtomicInteger closed = new AtomicInteger();
        Pinger pinger =
                new Pinger(
                        new Supervisor(System::nanoTime),
                        () -> {
                            made.incrementAndGet();
                            return new PingClient() {
                                @Override
                                public void turn(
                                        java.util.Collection<org.apache.kafka.common.Node> brokers,
                                        Duration atMost) {
                                    if (turns.incrementAndGet() == 2) {
                                        throw new IllegalStateException("a fault");
                                    }
                                }

                                @Override
                                public void close() {
                                    closed.incrementAndGet();
                                }
                            };
                        },
                        "test",
                        faults::add);
        pinger.setBrokers(List.of(new Broker(1, "h", 1, null, true)));
        pinger.start();

        await().atMost(Duration.ofSeconds(10)).until(() -> turns.get() > 5);
        assertThat(faults).hasSize(1).first().isInstanceOf(IllegalStateException.class);
        assertThat(made.get()).isEqualTo(2);
        pinger.stop();
        await().atMost(Duration.ofSeconds(10)).until(() -> closed.get() == 2);
    }
}
