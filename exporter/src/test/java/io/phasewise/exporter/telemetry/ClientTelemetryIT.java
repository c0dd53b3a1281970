/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static io.phasewise.exporter.telemetry.PushChecks.PATIENCE;
import static io.phasewise.exporter.telemetry.PushChecks.RECORDS;
import static io.phasewise.exporter.telemetry.PushChecks.SENDS;
import static io.phasewise.exporter.telemetry.PushChecks.assertProduced;
import static io.phasewise.exporter.telemetry.PushChecks.produce;
import static io.phasewise.exporter.telemetry.PushChecks.refuse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.phasewise.exporter.ExportingCluster;
import io.phasewise.exporter.TestClusters;
import io.phasewise.lab.junit.SharedCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.ops.telemetry.ClientMetricsSubscription;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real clients push to real brokers, and the endpoint shows what they see. */
@Order(1)
class ClientTelemetryIT {

    @RegisterExtension static final SharedCluster CLUSTER = TestClusters.RECEIVING;

    private static final String TOPIC = "pushing";

    @TempDir static Path directory;

    private static ExportingCluster cluster;

    @BeforeAll
    static void subscribe() throws InterruptedException {
        cluster = TestClusters.receiving();
        cluster.kafka().createTopic(TOPIC, 2, 2, Map.of());
        PushChecks.subscribe(cluster);
    }

    @Test
    void everyRecordOfAProducerIsCountedOnceThroughItsRestart() throws Exception {
        cluster.kafka()
                .withLogsOnFailure(
                        () -> {
                            produce(cluster, TOPIC, "restarted");
                            produce(cluster, TOPIC, "restarted");
                            assertGone(cluster, "restarted");
                            assertProduced(cluster, "restarted", 2 * RECORDS);
                            return null;
                        });
    }

    @Test
    void aConsumerShowsItsLagItsFetchesAndItsGroup() throws Exception {
        cluster.kafka()
                .withLogsOnFailure(
                        () -> {
                            consume(cluster, "reader", "readers");
                            return null;
                        });
    }

    @Test
    void whatIsNotAPushIsRefusedWithoutHarm() throws Exception {
        cluster.kafka()
                .withLogsOnFailure(
                        () -> {
                            refuse(cluster);
                            return null;
                        });
    }

    @Test
    void aSubscriptionIsShownAndRemoved() throws Exception {
        ClientMetricsSubscription subscriptions =
                new ClientMetricsSubscription(cluster.kafka().admin());
        subscriptions.enable("some", Duration.ofSeconds(30), List.of("client_id=nobody"));
        assertThat(subscriptions.brokersWithoutReceiver()).isEmpty();
        await("all brokers have heard of it")
                .atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(
                        () ->
                                assertThat(named(subscriptions, "some"))
                                        .singleElement()
                                        .satisfies(
                                                some ->
                                                        assertThat(some.settings())
                                                                .containsEntry(
                                                                        "interval.ms", "30000")
                                                                .containsEntry(
                                                                        "match",
                                                                        "client_id=nobody")));

        subscriptions.disable("some");

        await("it is gone")
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> named(subscriptions, "some").isEmpty());
    }

    private static List<ClientMetricsSubscription.Subscription> named(
            ClientMetricsSubscription subscriptions, String name) throws InterruptedException {
        return subscriptions.all().stream().filter(each -> each.name().equals(name)).toList();
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(
            value = KafkaVersion.class,
            names = {"V3_9", "V4_1"})
    void clientsOfOlderReleasesAreCountedOnce(KafkaVersion version) throws Exception {
        String topic = "orders-" + version;
        String prefix = "of-" + version;
        cluster.kafka().createTopic(topic, 1, 2, Map.of());
        cluster.kafka()
                .withLogsOnFailure(
                        () -> {
                            try (ManagedProcess clients =
                                    PushingClients.start(
                                            version,
                                            cluster.kafka().bootstrap(),
                                            topic,
                                            prefix,
                                            directory)) {
                                assertShown(version, prefix, clients);
                            }
                            return null;
                        });
    }

    private static void assertShown(KafkaVersion version, String prefix, ManagedProcess clients)
            throws Exception {
        Map<String, String> producer = Map.of("client_id", prefix + "-producer");
        Map<String, String> consumer =
                Map.of("client_id", prefix + "-consumer", "group", prefix + "-readers");
        String consumed = "kafka_client_consumer_records_consumed_total";
        await("what both did is counted")
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            String log =
                                    Files.readString(directory.resolve(clients.name() + ".log"));
                            assertThat(cluster.sum(SENDS, producer))
                                    .as(log)
                                    .isEqualTo(PushingClients.RECORDS);
                            assertThat(cluster.sum(consumed, consumer))
                                    .as(log)
                                    .isEqualTo(PushingClients.RECORDS);
                            // A push may carry the last records and not yet their commit.
                            for (String each :
                                    List.of(
                                            "producer_request_latency_seconds_sum",
                                            "producer_record_queue_time_seconds_sum",
                                            "producer_batch_size_bytes_sum")) {
                                assertThat(cluster.sum("kafka_client_" + each, producer))
                                        .as(each)
                                        .isPositive();
                            }
                            for (String each :
                                    List.of(
                                            "consumer_fetch_latency_seconds_sum",
                                            "consumer_commit_latency_seconds_count",
                                            "consumer_rebalances_total")) {
                                assertThat(cluster.sum("kafka_client_" + each, consumer))
                                        .as(each)
                                        .isPositive();
                            }
                        });
        for (Map<String, String> client : List.of(producer, consumer)) {
            assertThat(cluster.series("kafka_client_instances", client))
                    .extracting(Scrape.Sample::labels)
                    .isNotEmpty()
                    .allSatisfy(
                            labels ->
                                    assertThat(labels)
                                            .containsEntry("software_name", "apache-kafka-java")
                                            .hasEntrySatisfying(
                                                    "software_version",
                                                    is ->
                                                            assertThat(is)
                                                                    .startsWith(version + ".")));
        }
    }

    @Tag("long")
    @Test
    void clientsOfLibrdkafkaAreShownToo() throws Exception {
        LibrdkafkaClients.Python found = LibrdkafkaClients.python();
        assumeTrue(found.missing().isEmpty(), () -> found.missing().orElseThrow());
        Path log = directory.resolve("librdkafka.log");
        try (LibrdkafkaClients clients =
                LibrdkafkaClients.start(found, cluster.kafka().plan().bootstrap(), TOPIC, log)) {
            Map<String, String> producer =
                    Map.of("client_id", "rd-producer", "software_name", "confluent-kafka-python");
            Map<String, String> consumer =
                    Map.of("client_id", "rd-consumer", "group", "rd-readers");
            await("both are shown")
                    .atMost(PATIENCE)
                    .untilAsserted(
                            () -> {
                                String latency =
                                        "kafka_client_producer_request_latency_seconds_sum";
                                assertThat(cluster.sum(latency, producer))
                                        .as(Files.readString(log))
                                        .isPositive();
                                assertThat(
                                                cluster.series(
                                                        "kafka_client_consumer_poll_idle_ratio_min",
                                                        consumer))
                                        .isNotEmpty();
                            });
        }
    }

    /**
     * Within seconds, even where it could not say so, since this broker hands over how often it
     * pushes. Kafka 3.9 does not.
     */
    private static void assertGone(ExportingCluster where, String clientId) {
        await("it is gone")
                .atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(
                                                where.sum(
                                                        "kafka_client_instances",
                                                        Map.of("client_id", clientId)))
                                        .isZero());
    }

    private static void consume(ExportingCluster where, String clientId, String group)
            throws Exception {
        produce(where, TOPIC, "for-" + clientId);
        Map<String, Object> properties = new HashMap<>(where.kafka().clientProperties());
        properties.put("client.id", clientId);
        properties.put("group.id", group);
        properties.put("auto.offset.reset", "earliest");
        Map<String, String> labels = Map.of("client_id", clientId, "group", group);
        int[] read = {0};
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            await("what it read is counted, and it has a lag")
                    .atMost(PATIENCE)
                    .pollInSameThread()
                    .untilAsserted(
                            () -> {
                                read[0] += consumer.poll(Duration.ofMillis(200)).count();
                                consumer.commitSync();
                                assertThat(read[0]).isGreaterThanOrEqualTo(RECORDS);
                                for (String each :
                                        List.of(
                                                "fetch_latency_seconds_sum",
                                                "commit_latency_seconds_count",
                                                "rebalances_total")) {
                                    assertThat(where.sum("kafka_client_consumer_" + each, labels))
                                            .as(each)
                                            .isPositive();
                                }
                                String consumed = "kafka_client_consumer_records_consumed_total";
                                assertThat(where.sum(consumed, labels)).isEqualTo(read[0]);
                                String lag = "kafka_client_consumer_records_lag_max";
                                assertThat(where.series(lag, labels)).isNotEmpty();
                            });
            assertThat(where.series("kafka_client_consumer_poll_idle_ratio_min", labels))
                    .isNotEmpty()
                    .allSatisfy(ratio -> assertThat(ratio.value()).isBetween(0.0, 1.0));
        }
    }
}
