/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;

/** What a broker makes of a name in {@code metric.reporters}; its metrics are not of interest. */
abstract class BrokerReporter implements MetricsReporter {

    BrokerReporter() {
        ClientPushes.activate();
    }

    @Override
    public final void init(List<KafkaMetric> metrics) {}

    @Override
    public final void metricChange(KafkaMetric metric) {}

    @Override
    public final void metricRemoval(KafkaMetric metric) {}

    @Override
    public final void configure(Map<String, ?> configuration) {}

    @Override
    public final void close() {}
}
