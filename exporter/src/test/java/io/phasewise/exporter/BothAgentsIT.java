/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static io.phasewise.exporter.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.BrokerLogs;
import io.phasewise.lab.junit.ScrapedPage;
import io.phasewise.lab.junit.ScrapedPage.Sample;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Brokers under both agents, ours and the stock JMX exporter with the same rules: what they call
 * things, and what they read.
 */
@Order(2)
@ResourceLock(TestClusters.REQUESTS)
class BothAgentsIT {

    @RegisterExtension
    static final ExportingCluster CLUSTER = TestClusters.QUIET;

    private static final int TOPICS = 22;

    /** What our agent reads once a minute only, as every partition is asked for it. */
    private static final Set<String> RESTING = Set.of(
            "kafka_server_replicamanager_produceridcount",
            "kafka_server_replicamanager_partitionswithlatetransactionscount");

    /** The broker that leads all topics of these tests. */
    private static final int BROKER = 1;

    @BeforeAll
    static void letABrokerWork() throws Exception {
        List<NewTopic> topics = IntStream.range(0, TOPICS)
                .mapToObj(i -> new NewTopic("topic-" + i, Map.of(0, List.of(BROKER))))
                .toList();
        CLUSTER.kafka().admin().createTopics(topics).all().get(20, TimeUnit.SECONDS);
        Traffic traffic = CLUSTER.traffic();
        for (int i = 0; i < TOPICS; i++) {
            traffic.produce("topic-" + i, 1, 1 + i);
        }
        traffic.consume("topic-1", 1, 2);
        traffic.consumeAsGroup("topic-2", "readers", 3);
    }

    @Test
    void bothHaveTheSameSeriesOfTheSameTypes() {
        // New beans are given names every few seconds.
        await("our agent has seen all beans").untilAsserted(() -> theSeriesAreTheSame());
    }

    private static void theSeriesAreTheSame() throws Exception {
        ScrapedPage stock = CLUSTER.scrapeStock(BROKER);
        ScrapedPage own = CLUSTER.scrapeOwn(BROKER);
        assertThat(values(own).keySet()).isEqualTo(values(stock).keySet());
        for (String series : values(stock).keySet()) {
            assertThat(own.type(metric(series))).as(series).isEqualTo(stock.type(metric(series)));
        }
    }

    private static String metric(String series) {
        return series.replaceFirst("\\{.*", "");
    }

    @Test
    void bothReadTheSameValues() {
        await("two scrapes of the stock agent with one of ours between them agree")
                .untilAsserted(() -> theSameIsRead());
    }

    /** Of what does not change while it is read. */
    private static void theSameIsRead() throws Exception {
        Map<String, Double> before = values(CLUSTER.scrapeStock(BROKER));
        Map<String, Double> own = values(CLUSTER.scrapeOwn(BROKER));
        Map<String, Double> after = values(CLUSTER.scrapeStock(BROKER));
        Map<String, Double> still = new TreeMap<>(before);
        still.entrySet().retainAll(after.entrySet());
        still.keySet().removeIf(series -> RESTING.contains(metric(series)));
        assertThat(still).hasSizeGreaterThan(150);
        Map<String, Double> ours = new TreeMap<>(own);
        ours.keySet().retainAll(still.keySet());
        assertThat(ours).isEqualTo(still);
    }

    @Test
    void onlyTheBusiestTopicsHaveSeriesOfTheirOwn() {
        await("topics are ranked").untilAsserted(() -> theBusiestTopicsAreShown());
    }

    private static void theBusiestTopicsAreShown() throws Exception {
        ScrapedPage own = CLUSTER.scrapeOwn(BROKER);
        assertThat(own.named("kafka_server_brokertopicmetrics_topic_bytesin_total"))
                .extracting(sample -> sample.labels().get("topic"))
                .hasSize(5)
                .contains("topic-21", "topic-20");
        assertThat(own.value("kafka_log_log_size_bytes")).isPositive();
    }

    @Test
    void settingsAndVersionAreInOneSeries() throws Exception {
        List<Sample> info = CLUSTER.scrapeOwn(BROKER).named("kafka_broker_config_info");
        assertThat(info).hasSize(1);
        assertThat(info.get(0).labels())
                .containsEntry("num_io_threads", "4")
                .containsEntry("num_network_threads", "2")
                .containsEntry("num_replica_fetchers", "1")
                .containsEntry("replica_lag_time_max_ms", "30000")
                .hasEntrySatisfying("version", version -> assertThat(version).startsWith("4."));
    }

    @Test
    void nothingFails() throws Exception {
        ScrapedPage own = CLUSTER.scrapeOwn(BROKER);

        assertThat(own.value("kafka_exporter_config_error")).isZero();
        assertThat(own.value("kafka_exporter_scrape_errors_total")).isZero();
        assertThat(own.value("jmx_scrape_error")).isZero();
        assertThat(BrokerLogs.tails(CLUSTER.kafka(), 2_000)).doesNotContain("ERROR phasewise-exporter");
    }

    @Test
    void everyMetricOfOursIsInTheReference() throws Exception {
        Set<String> documented = new TreeSet<>();
        documented.addAll(PromisedMetric.allNames());
        OwnMetric.ALL.forEach(own -> documented.add(own.name()));
        OwnMetric.CLIENTS.forEach(own -> documented.add(own.name()));

        assertThat(CLUSTER.scrapeOwn(BROKER).names("kafka_"))
                .allMatch(name -> documented.contains(name)
                        || documented.contains(name.replaceFirst("_(bucket|sum|count)$", "")));
    }

    /** What the rules make; percentiles of request timings are the stock agent's alone. */
    private static Map<String, Double> values(ScrapedPage scrape) {
        Set<String> promised = PromisedMetric.allNames();
        Map<String, Double> values = new TreeMap<>();
        for (Sample sample : scrape.samples()) {
            String name = sample.name();
            boolean percentile = name.startsWith("kafka_network_requestmetrics_")
                    && sample.labels().containsKey("quantile");
            if (promised.contains(name) && name.startsWith("kafka_") && !percentile) {
                values.put(name + new TreeMap<>(sample.labels()), sample.value());
            }
        }
        return values;
    }
}
