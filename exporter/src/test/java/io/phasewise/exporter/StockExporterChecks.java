/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static io.phasewise.exporter.Patience.await;
import static io.phasewise.lab.measure.Scrape.label;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.BrokerLogs;
import io.phasewise.lab.junit.ScrapedPage;
import io.phasewise.lab.kafka.KafkaVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Holds two real brokers under the stock JMX exporter agent to {@link PromisedMetric#ALL}. Nobody
 * else may use them meanwhile.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StockExporterChecks {

    private static final String TOPIC = "stock";
    private static final int PARTITIONS = 4;
    private static final int RECORDS = 200;

    private final KafkaVersion version;
    private final ExportingCluster cluster;
    private Traffic traffic;

    StockExporterChecks(KafkaVersion version, ExportingCluster cluster) {
        this.version = version;
        this.cluster = cluster;
    }

    @BeforeAll
    void letTheBrokersWork() throws Exception {
        traffic = cluster.traffic();
        cluster.kafka().createTopic(TOPIC, PARTITIONS, 2, Map.of());
        traffic.produce(TOPIC, PARTITIONS, RECORDS);
        traffic.consume(TOPIC, PARTITIONS, RECORDS);
        traffic.consumeAsGroup(TOPIC, "stock-readers", RECORDS);
    }

    @Test
    void everyPromisedMetricIsThereWithItsTypeItsLabelsAndAPlausibleValue() throws Exception {
        List<ScrapedPage> scrapes = scrapeAll();
        SoftAssertions softly = new SoftAssertions();
        for (PromisedMetric promise : PromisedMetric.ALL) {
            if (!promise.isDueIn(version)) {
                continue;
            }
            for (String name : promise.names()) {
                softly.assertThat(scrapes)
                        .as("brokers that export " + name)
                        .filteredOn(scrape -> !scrape.named(name).isEmpty())
                        .hasSizeGreaterThanOrEqualTo(promise.leastBrokers(scrapes.size()))
                        .allSatisfy(scrape -> isKept(promise, name, scrape));
            }
        }
        softly.assertAll();
    }

    private static void isKept(PromisedMetric promise, String name, ScrapedPage scrape) {
        assertThat(scrape.type(name)).isEqualTo(promise.type());
        assertThat(scrape.named(name)).allSatisfy(sample -> {
            assertThat(sample.labels().keySet()).isEqualTo(promise.labels());
            assertThat(sample.value()).matches(promise::isPlausible, "is plausible");
        });
    }

    @Test
    void nothingIsExportedThatIsNotPromised() throws Exception {
        for (ScrapedPage scrape : scrapeAll()) {
            assertThat(PromisedMetric.allNames()).containsAll(scrape.names("kafka_"));
        }
    }

    @Test
    void timingsAreThereForEachRequestThatMattersAndForEachPercentile() throws Exception {
        for (ScrapedPage scrape : scrapeAll()) {
            for (String phase : PromisedMetric.PHASES) {
                String name = "kafka_network_requestmetrics_" + phase + "timems";
                assertThat(scrape.named(name + "_mean"))
                        .extracting(sample -> sample.labels().get("request"))
                        .containsExactlyInAnyOrder("Produce", "FetchConsumer", "FetchFollower");
                assertThat(scrape.named(name))
                        .as(name)
                        .extracting(sample -> sample.labels().get("quantile"))
                        .hasSize(12)
                        .containsOnly("0.50", "0.95", "0.99", "0.999");
            }
        }
    }

    @Test
    void countersCountWhatClientsDid() throws Exception {
        List<ScrapedPage> before = scrapeAll();
        traffic.produce(TOPIC, PARTITIONS, 40);

        // A request is counted after its response was sent, and followers fetch later still.
        await("the brokers have counted all of it").untilAsserted(() -> fortyRecordsAreCounted(before, scrapeAll()));
    }

    private static void fortyRecordsAreCounted(List<ScrapedPage> before, List<ScrapedPage> after) {
        String topics = "kafka_server_brokertopicmetrics_";
        assertThat(grown(before, after, topics + "messagesin_total")).isEqualTo(40);
        assertThat(grown(before, after, topics + "totalproducerequests_total")).isEqualTo(40);
        assertThat(grown(before, after, topics + "bytesin_total")).isBetween(40.0 * 500, 40.0 * 700);
        assertThat(grown(before, after, topics + "replicationbytesin_total")).isGreaterThanOrEqualTo(40.0 * 500);
        String requests = "kafka_network_requestmetrics_requests_total";
        assertThat(grown(before, after, requests, label("request", "Produce"))).isEqualTo(40);
    }

    private static double grown(List<ScrapedPage> before, List<ScrapedPage> after, String name, String... labels) {
        return sum(after, name, labels) - sum(before, name, labels);
    }

    private static double sum(List<ScrapedPage> scrapes, String name, String... labels) {
        return scrapes.stream().mapToDouble(scrape -> scrape.sum(name, labels)).sum();
    }

    @Test
    void brokersSayTheirVersionAndTheirStateAndOneIsTheController() throws Exception {
        List<ScrapedPage> scrapes = scrapeAll();

        assertThat(scrapes)
                .extracting(
                        scrape -> only(scrape, "kafka_server_app_info_version").get("version"))
                .allMatch(each -> each.startsWith(version + "."));
        assertThat(scrapes).allMatch(scrape -> scrape.value("kafka_server_kafkaserver_brokerstate") == 3);
        assertThat(sum(scrapes, "kafka_controller_kafkacontroller_activecontrollercount"))
                .isEqualTo(1);
        String state = "kafka_server_raft_metrics_current_state";
        assertThat(scrapes)
                .extracting(scrape -> only(scrape, state).get("state"))
                .containsExactlyInAnyOrder("leader", "follower");
    }

    /** Labels of the only series of a name. */
    private static Map<String, String> only(ScrapedPage scrape, String name) {
        assertThat(scrape.named(name)).hasSize(1);
        return scrape.named(name).get(0).labels();
    }

    @Test
    void theAgentTurnsUpNoErrorOfItsOwn() throws Exception {
        assertThat(scrapeAll()).allMatch(scrape -> scrape.value("jmx_scrape_error") == 0);
        assertThat(BrokerLogs.tails(cluster.kafka(), 2_000)).doesNotContain("io.prometheus.jmx");
    }

    private List<ScrapedPage> scrapeAll() throws Exception {
        List<ScrapedPage> scrapes = new ArrayList<>();
        for (int broker : cluster.brokers()) {
            scrapes.add(cluster.scrapeStock(broker));
        }
        return scrapes;
    }
}
