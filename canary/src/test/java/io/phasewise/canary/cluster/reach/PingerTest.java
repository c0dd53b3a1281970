/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.reach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.supervise.Supervisor;
import io.phasewise.canary.topic.TopicState.Broker;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.Test;

class PingerTest {
    @Test
    void aFaultIsCountedAndPingingGoesOnWithANewClient() {
        List<Throwable> faults = new CopyOnWriteArrayList<>();
        AtomicInteger made = new AtomicInteger();
        AtomicInteger turns = new AtomicInteger();
        AtomicInteger closed = new AtomicInteger();
        PingClient client = new PingClient() {
            @Override
            public void turn(Collection<Node> brokers, Duration atMost) {
                if (turns.incrementAndGet() == 2) {
                    throw new IllegalStateException("a fault");
                }
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
        Supplier<PingClient> clients = () -> {
            made.incrementAndGet();
            return client;
        };
        Pinger pinger = new Pinger(new Supervisor(System::nanoTime), clients, "test", faults::add);
        pinger.setBrokers(List.of(new Broker(1, "h", 1, null, true)));
        pinger.start();

        await().atMost(Duration.ofSeconds(10)).until(() -> turns.get() > 5);
        assertThat(faults).hasSize(1).first().isInstanceOf(IllegalStateException.class);
        assertThat(made.get()).isEqualTo(2);
        pinger.stop();
        await().atMost(Duration.ofSeconds(10)).until(() -> closed.get() == 2);
    }
}
