/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static io.phasewise.exporter.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.exporter.ExportingCluster;
import io.phasewise.lab.junit.ScrapedPage;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.ops.telemetry.ClientMetricsSubscription;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.protocol.Errors;

/** Lets clients push to brokers of any release, and holds the endpoint to what they did. */
final class PushChecks {

    static final int RECORDS = 120;
    static final String SENDS = "producer_record_sends_total";

    private static final byte UNCOMPRESSED = 0;
    private static final byte GZIP = 1;

    /** A client first pushes after an interval or a half more; Kafka allows a tenth of a second. */
    private static final Duration INTERVAL = Duration.ofMillis(200);

    private final ExportingCluster cluster;

    PushChecks(ExportingCluster cluster) {
        this.cluster = cluster;
    }

    /** Has all clients push all that the exporter has use for. */
    void subscribe() throws InterruptedException {
        new ClientMetricsSubscription(cluster.kafka().admin()).enable("everything", INTERVAL, List.of());
    }

    /** A metric of a client, all its series added up. */
    double sum(String metric, Map<String, String> client) throws Exception {
        return cluster.sum("kafka_client_" + metric, client);
    }

    /** A client has all of these metrics. */
    void showPositive(Map<String, String> client, String... metrics) throws Exception {
        for (String metric : metrics) {
            assertThat(sum(metric, client)).as(metric).isPositive();
        }
    }

    /** A client uses a library of Java, of a version that begins so. */
    void showJava(Map<String, String> client, String version) throws Exception {
        assertThat(cluster.series("kafka_client_instances", client))
                .extracting(ScrapedPage.Sample::labels)
                .isNotEmpty()
                .allMatch(labels -> labels.get("software_name").equals("apache-kafka-java"))
                .allMatch(labels -> labels.get("software_version").startsWith(version));
    }

    /** What a producer counted since its start, and its restart. */
    void showProduced(String clientId, int records) throws Exception {
        Map<String, String> client = Map.of("client_id", clientId);
        assertThat(sum(SENDS, client)).isEqualTo(records);
        String latency = "producer_request_latency_seconds";
        assertThat(sum(latency + "_sum", client) / sum(latency + "_count", client))
                .isBetween(0.000_01, 10.0);
        showJava(client, "4.4");
        showPositive(client, "producer_record_queue_time_seconds_sum", "producer_batch_size_bytes_sum");
        assertThat(sum("producer_record_errors_total", client)).isZero();
    }

    /**
     * One life of a producer, until all that it sent is counted: what it counted since its last
     * push may be lost when it ends.
     */
    void produce(String topic, String clientId) throws Exception {
        Map<String, String> client = Map.of("client_id", clientId);
        double before = sum(SENDS, client);
        try (KafkaProducer<byte[], byte[]> producer =
                cluster.traffic().as(clientId).producer(Map.of("linger.ms", 0))) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>(topic, i % 2, null, new byte[500]))
                        .get();
            }
            await("all that it sent is counted")
                    .untilAsserted(() -> assertThat(sum(SENDS, client)).isEqualTo(before + RECORDS));
            assertThat(cluster.series("kafka_client_producer_request_latency_max_seconds", client))
                    .as("while it lives")
                    .isNotEmpty();
        }
    }

    /** Clients of a library that does not say how many requests it sends are shown, push after push. */
    void showUncounted(ManagedProcess clients, String prefix, String software) throws Exception {
        Map<String, String> producer = Map.of("client_id", prefix + "-producer", "software_name", software);
        Map<String, String> consumer = Map.of("client_id", prefix + "-consumer", "group", prefix + "-readers");
        await("both are shown").untilAsserted(() -> {
            assertThat(sum("producer_uncounted_pushes_total", producer))
                    .as(() -> clients.logExcerpt(50).toString())
                    .isGreaterThan(5);
            showPositive(producer, "producer_request_latency_mean_seconds");
            // librdkafka 2.5.3 pushes no fetch latency.
            String ofConsumer = prefix.equals("2.5.3") ? "instances" : "consumer_fetch_latency_mean_seconds";
            showPositive(consumer, ofConsumer);
        });
        assertThat(cluster.series("kafka_client_producer_request_latency_seconds_count", producer))
                .as("pushes are no requests")
                .isEmpty();
        assertThat(cluster.series("kafka_client_producer_record_queue_time_seconds_count", producer))
                .isEmpty();
    }

    void refuseWhatIsNoPush() throws Exception {
        double malformed = pushes("malformed");
        double unreadable = pushes("unreadable");
        int port = cluster.kafka().plan().brokers().get(0).ports().client().port();
        try (RawClient hostile = new RawClient(port, "hostile")) {
            assertThat(hostile.push(UNCOMPRESSED, new byte[] {1, 2, 3})).isEqualTo(Errors.NONE);
            assertThat(hostile.push(GZIP, CompressedZeros.gzip(512))).isEqualTo(Errors.INVALID_RECORD);
            assertThatThrownBy(hostile::pushNull)
                    .as("the broker closes the connection")
                    .isInstanceOf(IOException.class);
        }
        await("what the broker could not read is counted")
                .untilAsserted(() -> assertThat(pushes("unreadable")).isEqualTo(unreadable + 1));
        await("it is counted")
                .untilAsserted(() -> assertThat(pushes("malformed")).isEqualTo(malformed + 1));
        assertThat(cluster.series("kafka_client_instances", Map.of("client_id", "hostile")))
                .as("it leaves no trace")
                .isEmpty();
    }

    double pushes(String result) throws Exception {
        return cluster.sum("kafka_exporter_client_pushes_total", Map.of("result", result));
    }
}
