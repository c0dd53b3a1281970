/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static io.phasewise.exporter.Patience.await;
import static io.phasewise.lab.measure.Scrape.label;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.lab.junit.BrokerLogs;
import io.phasewise.lab.junit.ScrapedPage;
import io.phasewise.lab.kafka.KafkaVersion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;

/**
 * Lets brokers work, then holds the agent's request timing to what they measure themselves, as the
 * stock JMX exporter reads it out of the same brokers: every kind of request, the same counts, the
 * same means but for Kafka's rounding to milliseconds. Nobody else may use the brokers meanwhile.
 */
final class TimedRequests {

    /** How long a request that is counted by one and not yet by the other may take. */
    private static final double LONGEST_MS = 1_000;

    /**
     * What Kafka counts of the agent itself, of all requests of a kind together: it reads the clock
     * after the agent's call, the agent before its own work, and the first call loads classes.
     */
    private static final double OWN_WORK_MS = 20;

    /** Those that end where the clock is read. */
    private static final Set<String> WITH_OWN_WORK = Set.of("response_send", "total");

    private static final String TOPIC = "timed";
    private static final String PHASE_SECONDS = "kafka_request_phase_seconds";
    private static final String CANARY_SECONDS = "kafka_canary_request_phase_seconds";
    private static final int CANARY_RECORDS = 20;

    /** More than a producer may send in ten seconds that is allowed 5,000 bytes in each. */
    private static final byte[] TOO_MUCH = new byte[60_000];

    private static final List<String> PHASES =
            List.of("request_queue local remote throttle response_queue response_send total".split(" "));
    private static final Map<String, String> PRODUCE_TOTAL = Map.of("request", "Produce", "phase", "total");

    /** Counted by Kafka beside the APIs that they are part of. */
    private static final Set<String> BESIDE = Set.of("FetchConsumer", "FetchFollower", "ListClientMetricsResources");

    private final ExportingCluster cluster;
    private final KafkaVersion version;

    TimedRequests(ExportingCluster cluster, KafkaVersion version) {
        this.cluster = cluster;
        this.version = version;
    }

    /** Sends requests of every kind, once for each cluster, and compares. */
    void areThoseOfTheBroker() throws Exception {
        allHooksAreActive();
        leadersAreCounted();
        drive();
        for (int broker : cluster.brokers()) {
            settle(broker);
            compare(broker);
        }
        assertThat(cluster.sum(CANARY_SECONDS + "_count", PRODUCE_TOTAL)).isEqualTo(CANARY_RECORDS);
        assertThat(BrokerLogs.tails(cluster.kafka(), 5_000)).doesNotContain("ERROR phasewise-exporter");
    }

    private void allHooksAreActive() throws Exception {
        for (int broker : cluster.brokers()) {
            assertThat(cluster.scrapeOwn(broker).named("kafka_exporter_hook_active"))
                    .as("hooks of broker %d that need no client that pushes", broker)
                    .filteredOn(active -> !active.labels().get("hook").equals("push_limit"))
                    .hasSize(12)
                    .allMatch(active -> active.value() == 1);
        }
    }

    /**
     * While no change is noticed, a count rests for a minute. The first topic makes it new: so the
     * second is noticed, or late.
     */
    private void leadersAreCounted() throws Exception {
        String count = "kafka_server_replicamanager_leadercount";
        for (String topic : List.of("timed-first", TOPIC)) {
            double leaders = cluster.sum(count, Map.of());
            // Creating a topic is forwarded to the controller, in an envelope.
            cluster.kafka().createTopic(topic, 2, cluster.brokers().size(), Map.of());
            await("the leaders of " + topic + " are counted").until(() -> cluster.sum(count, Map.of()) >= leaders + 2);
        }
    }

    private void drive() throws Exception {
        Traffic traffic = cluster.traffic();
        traffic.produce(TOPIC, 2, 60);
        traffic.consume(TOPIC, 2, 60);
        traffic.consumeAsGroup(TOPIC, "timed-readers", 60);
        traffic.produceInTransactions(TOPIC, 5);

        traffic.as("phasewise-canary-it").produce(TOPIC, 2, CANARY_RECORDS);

        ClientQuotaEntity slowClient = new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, "slow"));
        ClientQuotaAlteration.Op quota = new ClientQuotaAlteration.Op("producer_byte_rate", 5_000.0);
        cluster.kafka()
                .admin()
                .alterClientQuotas(List.of(new ClientQuotaAlteration(slowClient, List.of(quota))))
                .all()
                .get(10, TimeUnit.SECONDS);
        // It allows ten seconds' worth at once, and reaches the brokers a moment later.
        Map<String, String> throttling = Map.of("request", "Produce", "phase", "throttle");
        try (KafkaProducer<byte[], byte[]> slow = traffic.as("slow").producer(Map.of())) {
            await("a producer over its quota is throttled").until(() -> {
                slow.send(new ProducerRecord<>(TOPIC, 0, null, TOO_MUCH)).get();
                return cluster.sum(PHASE_SECONDS + "_sum", throttling) > 0;
            });
        }
        assertThatThrownBy(() -> cluster.describe("no-such-topic"))
                .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
    }

    /** A response is timed after it was sent: its client can be faster than the metric. */
    private void settle(int broker) {
        double[] last = {-1};
        await("client requests of broker " + broker + " are all timed")
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    ScrapedPage own = cluster.scrapeOwn(broker);
                    double before = last[0];
                    last[0] = count(own, "Produce", "total") + count(own, "FetchConsumer", "total");
                    return last[0] == before;
                });
    }

    private void compare(int broker) throws Exception {
        ScrapedPage before = cluster.scrapeStock(broker);
        ScrapedPage own = cluster.scrapeOwn(broker);
        ScrapedPage after = cluster.scrapeStock(broker);

        assertThat(own.named("kafka_exporter_request_timing_active"))
                .singleElement()
                .returns(1.0, ScrapedPage.Sample::value)
                .matches(active -> active.labels().get("kafka_version").startsWith(version + "."));
        for (String kind : List.of("Produce", "FetchConsumer", "FetchFollower")) {
            for (String phase : PHASES) {
                comparePhase(before, own, after, kind, phase);
            }
        }
        compareCounts(before, own.named("kafka_requests_total"), after, "requests");
        compareCounts(before, own.named("kafka_request_errors_total"), after, "errors");
    }

    private static void comparePhase(
            ScrapedPage before, ScrapedPage own, ScrapedPage after, String kind, String phase) {
        String name = "kafka_network_requestmetrics_" + phase.replace("_", "") + "timems_";
        String request = label("request", kind);
        double count = count(own, kind, phase);
        double least = before.value(name + "count", request);
        double most = after.value(name + "count", request);
        assertThat(count)
                .as("%s %s between two readings of Kafka's own", kind, phase)
                // Ours counts as Kafka's begins to.
                .isBetween(least, most + 1);
        // Each of Kafka's values is rounded to whole ms, by half of one at most. Sums only grow; a
        // mean may fall and rise again between two readings.
        double rounding = 0.6 * Math.max(count, 1);
        double ahead = Math.max(0, count - most) * LONGEST_MS;
        double ownWork = WITH_OWN_WORK.contains(phase) ? OWN_WORK_MS : 0;
        assertThat(sum(own, kind, phase) * 1_000)
                .as("sum %s %s in ms of %.0f", kind, phase, count)
                .isBetween(
                        least * before.value(name + "mean", request) - rounding - ownWork,
                        most * after.value(name + "mean", request) + rounding + ahead);
    }

    /** Ours by API; Kafka has them by API and version, or by API and error. */
    private static void compareCounts(
            ScrapedPage before, List<ScrapedPage.Sample> own, ScrapedPage after, String counted) {
        Map<String, Double> least = byApi(before, counted);
        Map<String, Double> most = byApi(after, counted);
        Map<String, Double> ours = new TreeMap<>();
        for (ScrapedPage.Sample sample : own) {
            String api = sample.labels().get("api");
            String error = sample.labels().getOrDefault("error", "");
            ours.merge(
                    (api.startsWith("Fetch") && error.isEmpty() ? "Fetch" : api) + " " + error,
                    sample.value(),
                    Double::sum);
        }
        assertThat(ours.keySet()).containsAll(least.keySet());
        for (String key : ours.keySet()) {
            assertThat(ours.get(key)).as(key).isBetween(least.getOrDefault(key, 0.0), most.getOrDefault(key, 0.0) + 1);
        }
    }

    private static Map<String, Double> byApi(ScrapedPage scrape, String counted) {
        Map<String, Double> sums = new TreeMap<>();
        String name = "kafka_network_requestmetrics_" + counted + "_total";
        for (ScrapedPage.Sample sample : scrape.named(name)) {
            // Kafka has these beside the API they are part of, or instead of it.
            String api = sample.labels().get("request").replace("AddPartitionsToTxnVerification", "AddPartitionsToTxn");
            String error = sample.labels().getOrDefault("error", "");
            if (!BESIDE.contains(api) && sample.value() > 0) {
                sums.merge(api + " " + error, sample.value(), Double::sum);
            }
        }
        return sums;
    }

    private static double count(ScrapedPage own, String kind, String phase) {
        return own.value(PHASE_SECONDS + "_count", label("request", kind), label("phase", phase));
    }

    private static double sum(ScrapedPage own, String kind, String phase) {
        return own.value(PHASE_SECONDS + "_sum", label("request", kind), label("phase", phase));
    }
}
