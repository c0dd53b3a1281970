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
import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.ops.telemetry.ClientMetricsSubscription;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
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
        Set<Map.Entry<String, String>> said =
                Map.of("interval.ms", "30000", "match", "client_id=nobody").entrySet();
        await("all brokers have heard of it")
                .ignoreExceptions()
                .until(() -> settings(subscriptions).entrySet().containsAll(said));

        subscriptions.disable("some");

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
    @EnumSource(
            value = KafkaVersion.class,
            names = {"V3_9", "V4_1"})
    void clientsOfOlderReleasesAreCountedOnce(KafkaVersion version) throws Exception {
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

    @Tag("long")
    @Test
    void clientsOfLibrdkafkaAreShownToo() throws Exception {
        Optional<String> missing = LibrdkafkaClients.install();
        assumeTrue(missing.isEmpty(), missing::get);
        Map<String, String> producer = Map.of("client_id", "rd-producer", "software_name", "confluent-kafka-python");
        Map<String, String> consumer = Map.of("client_id", "rd-consumer", "group", "rd-readers");
        try (ManagedProcess clients = LibrdkafkaClients.start(CLUSTER.kafka().bootstrap(), TOPIC, directory)) {
            await("both are shown").untilAsserted(() -> {
                assertThat(CHECKS.sum(LATENCY, producer))
                        .as(() -> clients.logExcerpt(50).toString())
                        .isPositive();
                assertThat(gauge("consumer_poll_idle_ratio_min", consumer)).isNotEmpty();
            });
        }
    }
}
