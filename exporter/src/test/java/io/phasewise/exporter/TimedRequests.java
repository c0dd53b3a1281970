/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static io.phasewise.lab.measure.Scrape.label;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.measure.Scrape.Sample;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
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

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOPIC = "timed";
    private static final String PHASE_SECONDS = "kafka_request_phase_seconds";
    private static final String CANARY_SECONDS = "kafka_canary_request_phase_seconds";
    private static final int CANARY_RECORDS = 20;

    /** More than a producer may send in ten seconds that is allowed 5,000 bytes in each. */
    private static final byte[] TOO_MUCH = new byte[60_000];

    /** Our name of a phase, and what the JMX exporter calls it. */
    private static final Map<String, String> PHASES =
            Map.of(
                    "request_queue", "requestqueue",
                    "local", "local",
                    "remote", "remote",
                    "throttle", "throttle",
                    "response_queue", "responsequeue",
                    "response_send", "responsesend",
                    "total", "total");

    private final ExportingCluster cluster;
    private final KafkaVersion version;

    TimedRequests(ExportingCluster cluster, KafkaVersion version) {
        this.cluster = cluster;
        this.version = version;
    }

    /** Sends requests of every kind, once for each cluster, and compares. */
    void areThoseOfTheBroker() throws Exception {
        cluster.kafka()
                .withLogsOnFailure(
                        () -> {
                            drive();
                            for (int broker : cluster.brokers()) {
                                settle(broker);
                                compare(broker);
                            }
                            assertThat(canaryCount()).isEqualTo(CANARY_RECORDS);
                            assertThat(cluster.kafka().logTails(5_000))
                                    .doesNotContain("ERROR phasewise-exporter");
                            return null;
                        });
    }

    private double leaders() throws Exception {
        double leaders = 0;
        for (int broker : cluster.brokers()) {
            leaders +=
                    cluster
                            .scrapeOwn(broker)
                            .named("kafka_server_replicamanager_leadercount")
                            .stream()
                            .mapToDouble(Sample::value)
                            .sum();
        }
        return leaders;
    }

    private void drive() throws Exception {
        KafkaCluster kafka = cluster.kafka();
        for (int broker : cluster.brokers()) {
            Scrape own = cluster.scrapeOwn(broker);
            assertThat(own.named("kafka_exporter_request_timing_active"))
                    .as("timing is active on broker %d", broker)
                    .singleElement()
                    .satisfies(active -> assertThat(active.value()).isOne());
            assertThat(own.named("kafka_exporter_hook_active"))
                    .as("hooks of broker %d that need no client that pushes", broker)
                    .filteredOn(active -> !active.labels().get("hook").equals("push_limit"))
                    .hasSize(9)
                    .allSatisfy(active -> assertThat(active.value()).isOne());
        }
        // While no change is noticed, a count rests for a minute. The first topic makes it new: so
        // the second is noticed, or late.
        for (String topic : List.of("timed-first", TOPIC)) {
            double leaders = leaders();
            // Creating a topic is forwarded to the controller, in an envelope.
            kafka.createTopic(topic, 2, cluster.brokers().size(), Map.of());
            await("the leaders of " + topic + " are counted")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> leaders() >= leaders + 2);
        }
        Traffic traffic = new Traffic(kafka.clientProperties());
        traffic.produce(TOPIC, 2, 60);
        traffic.consume(TOPIC, 2, 60);
        traffic.consumeAsGroup(TOPIC, "timed-readers", 60);
        traffic.produceInTransactions(TOPIC, 5);

        client(kafka, "phasewise-canary-it").produce(TOPIC, 2, CANARY_RECORDS);

        Admin admin = kafka.admin();
        admin.alterClientQuotas(
                        List.of(
                                new ClientQuotaAlteration(
                                        new ClientQuotaEntity(
                                                Map.of(ClientQuotaEntity.CLIENT_ID, "slow")),
                                        List.of(
                                                new ClientQuotaAlteration.Op(
                                                        "producer_byte_rate", 5_000.0)))))
                .all()
                .get(10, TimeUnit.SECONDS);
        // It allows ten seconds' worth at once, and reaches the brokers a moment later.
        try (KafkaProducer<byte[], byte[]> slow = client(kafka, "slow").producer()) {
            await("a producer over its quota is throttled")
                    .atMost(PATIENCE)
                    .until(
                            () -> {
                                slow.send(new ProducerRecord<>(TOPIC, 0, null, TOO_MUCH)).get();
                                return throttled() > 0;
                            });
        }
        assertThatThrownBy(
                        () ->
                                admin.describeTopics(List.of("no-such-topic"))
                                        .allTopicNames()
                                        .get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
    }

    private double throttled() throws Exception {
        double seconds = 0;
        for (int broker : cluster.brokers()) {
            seconds += sum(cluster.scrapeOwn(broker), "Produce", "throttle");
        }
        return seconds;
    }

    private static Traffic client(KafkaCluster kafka, String clientId) {
        Map<String, Object> properties = new HashMap<>(kafka.clientProperties());
        properties.put("client.id", clientId);
        return new Traffic(properties);
    }

    /** A response is timed after it was sent: its client can be faster than the metric. */
    private void settle(int broker) {
        double[] last = {-1};
        await("client requests of broker " + broker + " are all timed")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(
                        () -> {
                            Scrape own = cluster.scrapeOwn(broker);
                            double count =
                                    count(own, "Produce", "total")
                                            + count(own, "FetchConsumer", "total");
                            boolean still = count == last[0];
                            last[0] = count;
                            return still;
                        });
    }

    private void compare(int broker) throws Exception {
        Scrape before = cluster.scrapeStock(broker);
        Scrape own = cluster.scrapeOwn(broker);
        Scrape after = cluster.scrapeStock(broker);

        assertThat(own.named("kafka_exporter_request_timing_active"))
                .singleElement()
                .satisfies(
                        active -> {
                            assertThat(active.value()).isOne();
                            assertThat(active.labels().get("kafka_version"))
                                    .startsWith(version + ".");
                        });
        for (String kind : List.of("Produce", "FetchConsumer", "FetchFollower")) {
            compareKind(before, own, after, kind);
        }
        compareCounts(
                before,
                own,
                after,
                "kafka_requests_total",
                "kafka_network_requestmetrics_requests_total");
        compareCounts(
                before,
                own,
                after,
                "kafka_request_errors_total",
                "kafka_network_requestmetrics_errors_total");
        theFamilyIsConsistent(own);
    }

    private static void compareKind(Scrape before, Scrape own, Scrape after, String kind) {
        PHASES.forEach(
                (phase, jmx) -> {
                    String name = "kafka_network_requestmetrics_" + jmx + "timems_";
                    double count = count(own, kind, phase);
                    double least = before.value(name + "count", label("request", kind));
                    double most = after.value(name + "count", label("request", kind));
                    assertThat(count)
                            .as("%s %s between two readings of Kafka's own", kind, phase)
                            // Ours counts as Kafka's begins to.
                            .isBetween(least, most + 1);
                    // Each of Kafka's values is rounded to whole ms, by half of one at most. Sums
                    // only grow; a mean may fall and rise again between two readings.
                    double rounding = 0.6 * Math.max(count, 1);
                    double ahead = Math.max(0, count - most) * LONGEST_MS;
                    assertThat(sum(own, kind, phase) * 1_000)
                            .as("sum %s %s in ms of %.0f", kind, phase, count)
                            .isBetween(
                                    least * mean(before, name, kind) - rounding,
                                    most * mean(after, name, kind) + rounding + ahead);
                });
    }

    /** 0 where there was no request. */
    private static double mean(Scrape scrape, String name, String kind) {
        return scrape.value(name + "mean", label("request", kind));
    }

    /** Counters by API that Kafka has by API and version, or by API and error. */
    private static void compareCounts(
            Scrape before, Scrape own, Scrape after, String ourName, String theirName) {
        Map<String, Double> least = byApi(before, theirName);
        Map<String, Double> most = byApi(after, theirName);
        Map<String, Double> ours = new TreeMap<>();
        for (Sample sample : own.named(ourName)) {
            String api = sample.labels().get("api");
            String error = sample.labels().getOrDefault("error", "");
            ours.merge(
                    (api.startsWith("Fetch") && error.isEmpty() ? "Fetch" : api) + " " + error,
                    sample.value(),
                    Double::sum);
        }
        assertThat(ours.keySet()).as(ourName).containsAll(least.keySet());
        ours.forEach(
                (key, value) ->
                        assertThat(value)
                                .as("%s %s", ourName, key)
                                .isBetween(
                                        least.getOrDefault(key, 0.0),
                                        most.getOrDefault(key, 0.0) + 1));
    }

    private static Map<String, Double> byApi(Scrape scrape, String name) {
        Map<String, Double> sums = new TreeMap<>();
        for (Sample sample : scrape.named(name)) {
            // Kafka has these beside the API they are part of, or instead of it.
            String api =
                    sample.labels()
                            .get("request")
                            .replace("AddPartitionsToTxnVerification", "AddPartitionsToTxn");
            if (!Set.of("FetchConsumer", "FetchFollower", "ListClientMetricsResources")
                            .contains(api)
                    && sample.value() > 0) {
                sums.merge(
                        api + " " + sample.labels().getOrDefault("error", ""),
                        sample.value(),
                        Double::sum);
            }
        }
        return sums;
    }

    /** One scrape shows whole requests only: all its series agree with each other. */
    private static void theFamilyIsConsistent(Scrape own) {
        Map<String, Double> byKind =
                own.named(PHASE_SECONDS + "_count").stream()
                        .filter(sample -> sample.labels().get("phase").equals("total"))
                        .collect(
                                Collectors.toMap(
                                        sample -> sample.labels().get("request"), Sample::value));
        assertThat(byKind.keySet())
                .containsExactlyInAnyOrder("Produce", "FetchConsumer", "FetchFollower", "Other");
        byKind.forEach(
                (kind, count) -> {
                    double sum = 0;
                    for (String phase : PHASES.keySet()) {
                        assertThat(count(own, kind, phase)).isEqualTo(count);
                        assertThat(
                                        own.value(
                                                PHASE_SECONDS + "_bucket",
                                                label("request", kind),
                                                label("phase", phase),
                                                label("le", "+Inf")))
                                .isEqualTo(count);
                        if (!Set.of("throttle", "total").contains(phase)) {
                            sum += sum(own, kind, phase);
                        }
                    }
                    assertThat(sum).isCloseTo(sum(own, kind, "total"), within(1e-6));
                });
        double requests =
                own.named("kafka_requests_total").stream().mapToDouble(Sample::value).sum();
        assertThat(requests)
                .isEqualTo(byKind.values().stream().mapToDouble(Double::doubleValue).sum());
    }

    private double canaryCount() throws Exception {
        double count = 0;
        for (int broker : cluster.brokers()) {
            count +=
                    cluster.scrapeOwn(broker)
                            .value(
                                    CANARY_SECONDS + "_count",
                                    label("request", "Produce"),
                                    label("phase", "total"));
        }
        return count;
    }

    private static double count(Scrape own, String kind, String phase) {
        return own.value(PHASE_SECONDS + "_count", label("request", kind), label("phase", phase));
    }

    private static double sum(Scrape own, String kind, String phase) {
        return own.value(PHASE_SECONDS + "_sum", label("request", kind), label("phase", phase));
    }
}
