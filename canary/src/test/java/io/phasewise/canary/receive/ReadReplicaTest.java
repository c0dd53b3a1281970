/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.trip.Delivery;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ReadReplicaTest {
    private final MeteredConsumer consumer = new MeteredConsumer();
    private final ReadReplica replica = new ReadReplica("probes");

    ReadReplicaTest() {
        replica.use(consumer);
    }

    @Test
    void isTheLeaderUntilTheConsumerSaysOtherwise() {
        assertThat(replica.of(1)).isEqualTo(Delivery.BY_THE_LEADER);

        AtomicReference<Integer> broker = show("probes", 1);
        assertThat(replica.of(1)).isEqualTo(Delivery.BY_THE_LEADER);
        broker.set(3);
        assertThat(replica.of(1)).isEqualTo(3);
        broker.set(-1);
        assertThat(replica.of(1)).isEqualTo(Delivery.BY_THE_LEADER);
    }

    @Test
    void partitionsAndTopicsAreToldApart() {
        show("others", 0).set(9);
        show("probes", 2).set(2);

        assertThat(replica.of(0)).isEqualTo(Delivery.BY_THE_LEADER);
        assertThat(replica.of(2)).isEqualTo(2);
        replica.use(new MeteredConsumer());
        assertThat(replica.of(2)).as("of another consumer").isEqualTo(Delivery.BY_THE_LEADER);
    }

    private AtomicReference<Integer> show(String topic, int partition) {
        AtomicReference<Integer> value = new AtomicReference<>(-1);
        consumer.show(
                "consumer-fetch-manager-metrics",
                "preferred-read-replica",
                Map.of("topic", topic, "partition", String.valueOf(partition)),
                value::get);
        return value;
    }
}
