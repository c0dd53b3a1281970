/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.probe.ledger.Delivery;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.junit.jupiter.api.Test;

class ReadReplicaTest {
    private final Map<MetricName, Metric> metrics = new HashMap<>();
    private final ReadReplica replica = new ReadReplica("probes");

    ReadReplicaTest() {
        replica.use(consumerWith(metrics));
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
    }

    @Test
    void anotherConsumerIsAskedAfterTheFirstWasReplaced() {
        show("probes", 0).set(2);
        assertThat(replica.of(0)).isEqualTo(2);

        replica.use(consumerWith(Map.of()));

        assertThat(replica.of(0)).isEqualTo(Delivery.BY_THE_LEADER);
    }

    private AtomicReference<Integer> show(String topic, int partition) {
        AtomicReference<Integer> value = new AtomicReference<>(-1);
        MetricName name =
                new MetricName(
                        "preferred-read-replica",
                        "consumer-fetch-manager-metrics",
                        "",
                        Map.of("topic", topic, "partition", String.valueOf(partition)));
        metrics.put(
                name,
                new Metric() {
                    @Override
                    public MetricName metricName() {
                        return name;
                    }

                    @Override
                    public Object metricValue() {
                        return value.get();
                    }
                });
        return value;
    }

    private static MockConsumer<byte[], byte[]> consumerWith(Map<MetricName, Metric> metrics) {
        return new MockConsumer<>("latest") {
            @Override
            public Map<MetricName, ? extends Metric> metrics() {
                return metrics;
            }
        };
    }
}
