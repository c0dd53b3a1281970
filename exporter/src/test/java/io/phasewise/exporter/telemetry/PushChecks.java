/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.exporter.ExportingCluster;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.ops.telemetry.ClientMetricsSubscription;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Lets clients push to brokers of any release, and holds the endpoint to what they did. */
final class PushChecks {

    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final int RECORDS = 120;
    static final String SENDS = "kafka_client_producer_record_sends_total";

    private static final byte UNCOMPRESSED = 0;
    private static final byte GZIP = 1;

    /** A client first pushes after an interval or a half more; Kafka allows a tenth of a second. */
    private static final Duration INTERVAL = Duration.ofMillis(200);

    private PushChecks() {}

    /** Has all clients push all that the exporter has use for. */
    static void subscribe(ExportingCluster where) throws InterruptedException {
        new ClientMetricsSubscription(where.kafka().admin())
                .enable("everything", INTERVAL, List.of());
    }

    static void assertProduced(ExportingCluster where, String clientId, int records)
            throws Exception {
        Map<String, String> client = Map.of("client_id", clientId);
        assertThat(where.sum(SENDS, client)).isEqualTo(records);
        double mean =
                where.sum("kafka_client_producer_request_latency_seconds_sum", client)
                        / where.sum("kafka_client_producer_request_latency_seconds_count", client);
        assertThat(mean).isBetween(0.000_01, 10.0);
        assertThat(where.series(SENDS, client))
                .extracting(Scrape.Sample::labels)
                .allSatisfy(
                        labels ->
                                assertThat(labels)
                                        .containsEntry("software_name", "apache-kafka-java")
                                        .hasEntrySatisfying(
                                                "software_version",
                                                version -> assertThat(version).startsWith("4.4")));
        for (String each : List.of("record_queue_time_seconds", "batch_size_bytes")) {
            assertThat(where.sum("kafka_client_producer_" + each + "_sum", client))
                    .as(each)
                    .isPositive();
        }
        assertThat(where.sum("kafka_client_producer_record_errors_total", client)).isZero();
    }

    /**
     * One life of a producer, until all that it sent is counted: what it counted since its last
     * push may be lost when it ends.
     */
    static void produce(ExportingCluster where, String topic, String clientId) throws Exception {
        Map<String, Object> properties = new HashMap<>(where.kafka().clientProperties());
        properties.put("client.id", clientId);
        properties.put("linger.ms", 0);
        Map<String, String> labels = Map.of("client_id", clientId);
        double before = where.sum(SENDS, labels);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                Future<?> sent =
                        producer.send(new ProducerRecord<>(topic, i % 2, null, new byte[500]));
                sent.get();
            }
            await("all that it sent is counted")
                    .atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(where.sum(SENDS, labels)).isEqualTo(before + RECORDS));
            assertThat(where.series("kafka_client_producer_request_latency_max_seconds", labels))
                    .as("while it lives")
                    .isNotEmpty();
        }
    }

    static void refuse(ExportingCluster where) throws Exception {
        double malformed = pushes(where, "malformed");
        try (RawClient hostile =
                new RawClient(
                        where.kafka().plan().brokers().get(0).ports().client().port(), "hostile")) {
            assertThat(hostile.push(UNCOMPRESSED, new byte[] {1, 2, 3})).isEqualTo(Errors.NONE);
            assertThat(hostile.push(GZIP, CompressedZeros.gzip(512)))
                    .isEqualTo(Errors.INVALID_RECORD);
        }
        await("it is counted")
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(pushes(where, "malformed")).isEqualTo(malformed + 1));
        assertThat(where.series("kafka_client_instances", Map.of("client_id", "hostile")))
                .as("it leaves no trace")
                .isEmpty();
    }

    static double pushes(ExportingCluster where, String result) throws Exception {
        return where.sum("kafka_exporter_client_pushes_total", Map.of("result", result));
    }
}
