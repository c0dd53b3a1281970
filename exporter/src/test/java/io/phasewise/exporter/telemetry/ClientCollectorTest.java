/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClientCollectorTest {

    private final Reception reception = Reception.byDefault();

    @Test
    void showsClientsByTheirLabelsInBaseUnits() {
        reception.push(
                "reader-1",
                new OtlpPush()
                        .group("readers")
                        .gauge("consumer.fetch.manager.fetch.latency.avg", 250)
                        .delta("consumer.fetch.manager.fetch.total", 4)
                        .gauge("consumer.fetch.manager.records.lag.max", 17)
                        .gauge("consumer.poll.idle.ratio.avg", 0.75)
                        .delta("consumer.coordinator.rebalance.total", 2)
                        .gauge("consumer.something.new", 5));

        String labels = "{client_id=\"reader-1\",group=\"readers\",software_name=\"apache-kafka-java\","
                + "software_version=\"4.4.0\"}";
        assertThat(reception.page().lines())
                .contains(
                        "kafka_client_instances" + labels + " 1.0",
                        "kafka_client_consumer_fetch_latency_seconds_sum" + labels + " 1.0",
                        "kafka_client_consumer_fetch_latency_seconds_count" + labels + " 4",
                        "kafka_client_consumer_records_lag_max" + labels + " 17.0",
                        "kafka_client_consumer_poll_idle_ratio_min" + labels + " 0.75",
                        "kafka_client_consumer_rebalances_total" + labels + " 2.0",
                        "kafka_exporter_client_pushes_total{result=\"accepted\"} 1.0")
                .noneMatch(line -> line.startsWith("kafka_client_producer"));
    }

    @Test
    void everyResultIsThereFromTheStartAndNoClient() {
        assertThat(reception.page().lines())
                .contains(
                        "kafka_exporter_client_memory_bytes{use=\"remembered\"} 0.0",
                        "kafka_exporter_client_memory_limit_bytes 6.7108864E7",
                        "kafka_exporter_client_refused_total{reason=\"client_no_room\"} 0.0",
                        "kafka_exporter_client_pushes_total{result=\"too_large\"} 0.0")
                .noneMatch(line -> line.startsWith("kafka_client_"));
    }
}
