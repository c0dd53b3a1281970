/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static io.phasewise.exporter.Patience.await;
import static io.phasewise.exporter.telemetry.PushChecks.RECORDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.phasewise.exporter.ExportingCluster;
import io.phasewise.exporter.TestClusters;
import io.phasewise.lab.junit.ScrapedPage.Sample;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.ops.telemetry.ClientMetricsSubscription;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real clients push to real brokers, and the endpoint shows what they see. */
@Order(1)
class ClientTelemetryIT {

    @RegisterExtension
    static final ExportingCluster CLUSTER = TestClusters.RECEIVING;

    private static final String TOPIC = "pushing";
    private static final String LATENCY = "producer_request_latency_seconds_sum";
    private static final String CONSUMED = "consumer_records_consumed_total";
    private static final PushChecks CHECKS = new PushChecks(CLUSTER);

    @TempDir
    static Path directory;

    @BeforeAll
    static void subscribe() throws InterruptedException {
        CLUSTER.kafka().createTopic(TOPIC, 2, 2, Map.of());
        CHECKS.subscribe();
    }

    @Test
    void everyRecordOfAProducerIsCountedOnceThroughItsRestart() throws Exception {
        CHECKS.produce(TOPIC, "restarted");
        CHECKS.produce(TOPIC, "restarted");

        // Within seconds, even where it could not say so: brokers say how often it is to push.
        await("it is gone").until(() -> CHECKS.sum("instances", Map.of("client_id", "restarted")) == 0);
        CHECKS.showProduced("restarted", 2 * RECORDS);
    }

    @Test
    void aConsumerShowsItsLagItsFetchesAndItsGroup() throws Exception {
        CHECKS.produce(TOPIC, "for-reader");
        Map<String, String> client = Map.of("client_id", "reader", "group", "readers");
        int[] read = {0};
        try (KafkaConsumer<byte[], byte[]> consumer = CLUSTER.traffic()
                .as("reader")
                .consumer(Map.of("group.id", "readers", "auto.offset.reset", "earliest"))) {
            consumer.subscribe(List.of(TOPIC));
            await("what it read is counted, and it has a lag")
                    .pollInSameThread()
                    .untilAsserted(() -> {
                        read[0] += consumer.poll(Duration.ofMillis(200)).count();
                        consumer.commitSync();
                        assertThat(read[0]).isGreaterThanOrEqualTo(RECORDS);
                        showConsumed(client, read[0]);
                        assertThat(gauge("consumer_records_lag_max", client)).isNotEmpty();
                    });
            assertThat(gauge("consumer_poll_idle_ratio_min", client))
                    .isNotEmpty()
                    .allMatch(ratio -> ratio >= 0 && ratio <= 1);
        }
    }

    private static List<Double> gauge(String metric, Map<String, String> client) throws Exception {
        return CLUSTER.series("kafka_client_" + metric, client).stream()
                .map(Sample::value)
                .toList();
    }

    private static void showConsumed(Map<String, String> client, int records) throws Exception {
        assertThat(CHECKS.sum(CONSUMED, client)).isEqualTo(records);
        CHECKS.showPositive(
                client,
                "consumer_fetch_latency_seconds_sum",
                "consumer_commit_latency_seconds_count",
                "consumer_rebalances_total");
    }

    @Test
    void whatIsNotAPushIsRefusedWithoutHarm() throws Exception {
        CHECKS.refuseWhatIsNoPush();
    }

    @Test
    void aSubscriptionIsShownAndRemoved() throws Exception {
        ClientMetricsSubscription subscriptions =
                new ClientMetricsSubscription(CLUSTER.kafka().admin());
        subscriptions.enable("some", Duration.ofSeconds(30), List.of("client_id=nobody"));
        assertThat(subscriptions.brokersWithoutReceiver()).isEmpty();
        await("all brokers have heard of it").ignoreExceptions().untilAsserted(() -> {
            assertThat(settings(subscriptions).get("interval.ms")).isEqualTo("30000");
            assertThat(settings(subscriptions).get("match")).endsWith(",client_id=nobody");
            assertThat(subscriptions.enabling("some", Duration.ofSeconds(30), List.of("client_id=nobody")))
                    .as("nothing is left to change")
                    .isEmpty();
        });

        subscriptions.apply(subscriptions.disabling("some"));

        await("it is gone")
                .ignoreExceptions()
                .until(() -> settings(subscriptions).isEmpty());
    }

    private static Map<String, String> settings(ClientMetricsSubscription subscriptions) throws InterruptedException {
        return subscriptions.all().stream()
                .filter(each -> each.name().equals("some"))
                .findFirst()
                .map(ClientMetricsSubscription.Subscription::settings)
                .orElse(Map.of());
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"3.7", "3.9"})
    void clientsOfOlderReleasesAreCountedOnce(String version) throws Exception {
        String topic = "orders-" + version;
        String prefix = "of-" + version;
        Map<String, String> producer = Map.of("client_id", prefix + "-producer");
        Map<String, String> consumer = Map.of("client_id", prefix + "-consumer", "group", prefix + "-readers");
        CLUSTER.kafka().createTopic(topic, 1, 2, Map.of());
        try (ManagedProcess clients =
                PushingClients.start(version, CLUSTER.kafka().bootstrap(), topic, prefix, directory)) {
            await("what both did is counted").untilAsserted(() -> {
                assertThat(CHECKS.sum(PushChecks.SENDS, producer))
                        .as(() -> clients.logExcerpt(50).toString())
                        .isEqualTo(PushingClients.RECORDS);
                CHECKS.showPositive(
                        producer, LATENCY, "producer_record_queue_time_seconds_sum", "producer_batch_size_bytes_sum");
                // A push may carry the last records and not yet their commit.
                showConsumed(consumer, PushingClients.RECORDS);
            });
            CHECKS.showJava(producer, version + ".");
            CHECKS.showJava(consumer, version + ".");
        }
    }

    /**
     * Of 2.10.0, the last that keeps only one of several names that it is asked for: its pushes fail
     * when the subscription is not made for it.
     */
    @Test
    void clientsOfAnOldLibrdkafkaAreShownAndLoseNoConnection() throws Exception {
        LibrdkafkaClients library = new LibrdkafkaClients("2.10.0");
        Optional<String> missing = library.install();
        assumeTrue(missing.isEmpty(), missing::get);
        double unreadable = CHECKS.pushes("unreadable");
        try (ManagedProcess clients = library.start(CLUSTER.kafka().bootstrap(), TOPIC, "rd", directory)) {
            CHECKS.showUncounted(clients, "rd", "confluent-kafka-python");
            await("it has said what it lost")
                    .untilAsserted(
                            () -> assertThat(LibrdkafkaClients.lost(clients)).isEqualTo("0"));
        }
        assertThat(CHECKS.pushes("unreadable")).isEqualTo(unreadable);
    }

    @Tag("long")
    @Test
    void clientsOfFranzGoAreShown() throws Exception {
        Optional<String> missing = FranzGoClients.build();
        assumeTrue(missing.isEmpty(), missing::get);
        double unreadable = CHECKS.pushes("unreadable");
        try (ManagedProcess clients = FranzGoClients.start(CLUSTER.kafka().bootstrap(), TOPIC, "go", directory)) {
            CHECKS.showUncounted(clients, "go", "kgo");
        }
        assertThat(CHECKS.pushes("unreadable")).isEqualTo(unreadable);
    }

    @Test
    void whatAShareConsumerReadsIsCounted() throws Exception {
        CLUSTER.kafka().createTopic("shared-out", 1, 2, Map.of());
        Map<String, String> client = Map.of("client_id", "sharer");
        Map<String, Object> settings = new HashMap<>(CLUSTER.kafka().clientProperties());
        settings.putAll(Map.of("client.id", "sharer", "group.id", "sharers"));
        try (KafkaShareConsumer<byte[], byte[]> consumer =
                new KafkaShareConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of("shared-out"));
            await("some records are read, and counted").pollInSameThread().untilAsserted(() -> {
                CLUSTER.traffic().as("for-sharer").produceOne("shared-out");
                consumer.poll(Duration.ofMillis(200));
                CHECKS.showPositive(client, CONSUMED, "consumer_fetch_latency_seconds_count");
            });
        }
    }
}
