/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.receive;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/** A consumer of Kafka's without a network, with the metrics that it is told to have. */
class MeteredConsumer extends MockConsumer<byte[], byte[]> {
    private final Map<MetricName, Metric> shown = new ConcurrentHashMap<>();

    private record Shown(MetricName metricName, Supplier<?> value) implements Metric {
        @Override
        public Object metricValue() {
            return value.get();
        }
    }

    MeteredConsumer() {
        super("latest");
    }

    void show(String group, String name, Map<String, String> tags, Supplier<?> value) {
        MetricName key = new MetricName(name, group, "", tags);
        shown.put(key, new Shown(key, value));
    }

    @Override
    public Map<MetricName, ? extends Metric> metrics() {
        return shown;
    }
}
