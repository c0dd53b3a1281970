/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static io.phasewise.lab.measure.Scrape.label;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.measure.Scrape.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Holds two real brokers under the stock JMX exporter agent to {@link PromisedMetric#ALL}. Where
 * they come from is a subclass's; nobody else may use them meanwhile.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StockExporterChecks {

    private static final String TOPIC = "stock";
    private static final int PARTITIONS = 4;
    private static final int RECORDS = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String TIMINGS = "kafka.network:type=RequestMetrics,name=";

    private final KafkaVersion version;
    private ExportingCluster cluster;
    private Traffic traffic;

    StockExporterChecks(KafkaVersion version) {
        this.version = version;
    }

    /** The running brokers. */
    abstract ExportingCluster brokers() throws InterruptedException;

    @BeforeAll
    void letTheBrokersWork() throws Exception {
        cluster = brokers();
        traffic = new Traffic(cluster.kafka().clientProperties());
        cluster.kafka().createTopic(TOPIC, PARTITIONS, 2, Map.of());
        traffic.produce(TOPIC, PARTITIONS, RECORDS);
        traffic.consume(TOPIC, PARTITIONS, RECORDS);
        traffic.consumeAsGroup(TOPIC, "stock-readers", RECORDS);
    }

    @Test
    void everyPromisedMetricIsThereWithItsTypeItsLabelsAndAPlausibleValue() throws Exception {
        List<Scrape> scrapes = scrapeAll();
        SoftAssertions softly = new SoftAssertions();
        for (PromisedMetric promise : PromisedMetric.ALL) {
            if (!promise.isDueIn(version)) {
                continue;
            }
            for (String name : promise.names()) {
                int brokersWithIt = 0;
                for (Scrape scrape : scrapes) {
                    List<Sample> found = scrape.named(name);
                    brokersWithIt += found.isEmpty() ? 0 : 1;
                    for (Sample sample : found) {
                        String series = name + sample.labels();
                        softly.assertThat(scrape.type(name))
                                .as("type of " + name)
                                .isEqualTo(promise.type().toString());
                        softly.assertThat(sample.labels().keySet())
                                .as("labels of " + series)
                                .isEqualTo(promise.labels());
                        softly.assertThat(promise.isPlausible(sample.value()))
                                .as(series + " = " + sample.value() + " is plausible")
                                .isTrue();
                    }
                }
                softly.assertThat(brokersWithIt)
                        .as("brokers that export " + name)
                        .isGreaterThanOrEqualTo(promise.leastBrokers(scrapes.size()));
            }
        }
        softly.assertAll();
    }

    @Test
    void nothingIsExportedThatIsNotPromised() throws Exception {
        Set<String> promised = new TreeSet<>();
        PromisedMetric.ALL.forEach(promise -> promised.addAll(promise.names()));

        for (Scrape scrape : scrapeAll()) {
            assertThat(promised).containsAll(scrape.names("kafka_"));
        }
    }

    @Test
    void timingsAreThereForEachRequestThatMattersAndForEachPercentile() throws Exception {
        for (Scrape scrape : scrapeAll()) {
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
        List<Scrape> before = scrapeAll();
        traffic.produce(TOPIC, PARTITIONS, 40);

        // A request is counted after its response was sent, and followers fetch later still.
        await("the brokers have counted all of it")
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            List<Scrape> after = scrapeAll();
                            String topics = "kafka_server_brokertopicmetrics_";
                            assertThat(increase(before, after, topics + "messagesin_total"))
                                    .isEqualTo(40);
                            assertThat(
                                            increase(
                                                    before,
                                                    after,
                                                    topics + "totalproducerequests_total"))
                                    .isEqualTo(40);
                            assertThat(increase(before, after, topics + "bytesin_total"))
                                    .isBetween(40.0 * 500, 40.0 * 700);
                            assertThat(increase(before, after, topics + "replicationbytesin_total"))
                                    .isGreaterThanOrEqualTo(40.0 * 500);
                            assertThat(
                                            increase(
                                                    before,
                                                    after,
                                                    "kafka_network_requestmetrics_requests_total",
                                                    "request",
                                                    "Produce"))
                                    .isEqualTo(40);
                        });
    }

    @Test
    void theMeanOverAWindowIsThatOfTheRequestsInIt() throws Exception {
        for (int broker : cluster.brokers()) {
            settle(broker);
            Scrape earlier = cluster.scrapeStock(broker);
            Timing first = Timing.scraped(earlier, "total", "Produce");
            Timing firstBean = bean(broker, "TotalTimeMs", "Produce");
            traffic.produce(TOPIC, PARTITIONS, 60);
            settle(broker);
            Scrape scrape = cluster.scrapeStock(broker);
            Timing last = Timing.scraped(scrape, "total", "Produce");
            Timing lastBean = bean(broker, "TotalTimeMs", "Produce");

            // The broker's own numbers, exactly.
            assertThat(last).isEqualTo(lastBean);
            assertThat(first).isEqualTo(firstBean);
            // Half of the 60: the leaders are spread evenly.
            assertThat(last.count() - first.count()).isEqualTo(30);
            // A sum of whole milliseconds, not some number: the product loses nothing.
            assertThat(last.sum()).isCloseTo(Math.rint(last.sum()), within(1e-6));
            double mean = last.meanSince(first);
            assertThat(mean).isBetween(0.0, 5_000.0);

            // And the phases add up to the total, but for the rounding of each to whole ms.
            double sumOfPhases = 0;
            for (String phase : PromisedMetric.PHASES.subList(0, 6)) {
                sumOfPhases +=
                        Timing.scraped(scrape, phase, "Produce")
                                .meanSince(Timing.scraped(earlier, phase, "Produce"));
            }
            assertThat(sumOfPhases).isCloseTo(mean, within(0.5 * 7));
        }
    }

    @Test
    void gaugesShowWhatTheBeansHold() throws Exception {
        for (int broker : cluster.brokers()) {
            Scrape scrape = cluster.scrapeStock(broker);
            String replicas = "kafka.server:type=ReplicaManager,name=";

            assertThat(scrape.value("kafka_server_replicamanager_partitioncount"))
                    .isEqualTo(cluster.attribute(broker, replicas + "PartitionCount", "Value"))
                    .isGreaterThanOrEqualTo(PARTITIONS);
            await("leaders are counted again when they change")
                    .atMost(Duration.ofSeconds(20))
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    cluster.scrapeStock(broker)
                                                            .value(
                                                                    "kafka_server_replicamanager_leadercount"))
                                            .isEqualTo(
                                                    cluster.attribute(
                                                            broker,
                                                            replicas + "LeaderCount",
                                                            "Value")));
            assertThat(scrape.value("kafka_server_kafkaserver_brokerstate")).isEqualTo(3);
            assertThat(scrape.named("kafka_server_app_info_version"))
                    .singleElement()
                    .satisfies(
                            sample ->
                                    assertThat(sample.labels().get("version"))
                                            .startsWith(version + "."));
        }
        assertThat(sum(scrapeAll(), "kafka_controller_kafkacontroller_activecontrollercount"))
                .isEqualTo(1);
        assertThat(
                        scrapeAll().stream()
                                .map(
                                        scrape ->
                                                scrape.named(
                                                                "kafka_server_raft_metrics_current_state")
                                                        .get(0)
                                                        .labels()
                                                        .get("state")))
                .containsExactlyInAnyOrder("leader", "follower");
    }

    @Test
    void seriesDoNotGrowWithPartitions() throws Exception {
        // First the same with one partition, so that only the number of partitions differs.
        String small = "small";
        cluster.kafka().createTopic(small, 1, 2, Map.of());
        traffic.produce(small, 1, 50);
        traffic.consume(small, 1, 50);
        List<Scrape> before = scrapeAll();

        String large = "large";
        cluster.kafka().createTopic(large, 50, 2, Map.of());
        traffic.produce(large, 50, 50);
        traffic.consume(large, 50, 50);

        List<Scrape> after = scrapeAll();
        for (int i = 0; i < before.size(); i++) {
            assertThat(fixedSeries(after.get(i))).isEqualTo(fixedSeries(before.get(i)));
            assertThat(after.get(i).samples())
                    .hasSizeLessThan(500)
                    .noneMatch(
                            sample ->
                                    sample.labels().containsKey("topic")
                                            || sample.labels().containsKey("partition"));
        }
    }

    @Test
    void theAgentTurnsUpNoErrorOfItsOwn() throws Exception {
        for (Scrape scrape : scrapeAll()) {
            assertThat(scrape.value("jmx_scrape_error")).isZero();
        }
        assertThat(cluster.kafka().logTails(2_000)).doesNotContain("io.prometheus.jmx");
    }

    private List<Scrape> scrapeAll() throws Exception {
        List<Scrape> scrapes = new ArrayList<>();
        for (int broker : cluster.brokers()) {
            scrapes.add(cluster.scrapeStock(broker));
        }
        return scrapes;
    }

    /** All series but those that come when an API, an error or an expiry is first seen. */
    private static Set<String> fixedSeries(Scrape scrape) {
        Set<String> fixed = new TreeSet<>();
        for (Sample sample : scrape.samples()) {
            if (!sample.name().equals("kafka_network_requestmetrics_requests_total")
                    && !sample.name().equals("kafka_network_requestmetrics_errors_total")
                    && !sample.name().endsWith("_expires_total")) {
                fixed.add(sample.name() + sample.labels());
            }
        }
        return fixed;
    }

    /** A response is timed after it was sent: its client can be faster than the metric. */
    private void settle(int broker) {
        double[] last = {-1};
        await("produce requests of broker " + broker + " are all timed")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(
                        () -> {
                            double count = bean(broker, "TotalTimeMs", "Produce").count();
                            boolean still = count == last[0];
                            last[0] = count;
                            return still;
                        });
    }

    private Timing bean(int broker, String timing, String request) throws Exception {
        String name = TIMINGS + timing + ",request=" + request;
        return new Timing(
                cluster.attribute(broker, name, "Count"), cluster.attribute(broker, name, "Mean"));
    }

    private static double increase(
            List<Scrape> before, List<Scrape> after, String name, String... label) {
        return sum(after, name, label) - sum(before, name, label);
    }

    private static double sum(List<Scrape> scrapes, String name, String... label) {
        return scrapes.stream()
                .flatMap(scrape -> scrape.named(name).stream())
                .filter(
                        sample ->
                                label.length == 0 || label[1].equals(sample.labels().get(label[0])))
                .mapToDouble(Sample::value)
                .sum();
    }

    /**
     * What a scrape says of one phase of one request.
     *
     * @param count requests since the broker started
     * @param mean their mean time, ms
     */
    private record Timing(double count, double mean) {

        static Timing scraped(Scrape scrape, String phase, String request) {
            String name = "kafka_network_requestmetrics_" + phase + "timems_";
            return new Timing(
                    scrape.value(name + "count", label("request", request)),
                    scrape.value(name + "mean", label("request", request)));
        }

        double sum() {
            return count * mean;
        }

        double meanSince(Timing earlier) {
            return (sum() - earlier.sum()) / (count - earlier.count());
        }
    }
}
