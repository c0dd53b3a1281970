/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.phasewise.exporter.Scrape.Sample;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Holds the agent's request timing to what real brokers measure themselves, as the stock JMX
 * exporter reads it out of the same brokers: every kind of request, the same counts, the same means
 * but for Kafka's rounding to milliseconds.
 */
class RequestTimingIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PHASE_SECONDS = "kafka_request_phase_seconds";
    private static final String CANARY_SECONDS = "kafka_canary_request_phase_seconds";
    private static final int CANARY_RECORDS = 20;
    private static final String WHOLE_MATRIX = "phasewise.matrix";

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

    // Two brokers only where there must be followers; both JDKs with the newest Kafka.
    @ParameterizedTest(name = "Kafka {0} on Java {1}, {2} brokers")
    @CsvSource({"V3_9, 17, 1", "V4_1, 25, 1", "V4_4, 25, 1", "V4_4, 17, 2"})
    void timesWhatTheBrokerTimes(
            KafkaVersion version, int java, int brokers, @TempDir Path directory) throws Exception {
        holdToTheBroker(version, java, brokers, directory);
    }

    /** The pairs that differ from one above in the JDK only. */
    @ParameterizedTest(name = "Kafka {0} on Java {1}")
    @CsvSource({"V3_9, 25", "V4_1, 17"})
    void timesWhatTheBrokerTimesOnTheOtherJdk(
            KafkaVersion version, int java, @TempDir Path directory) throws Exception {
        assumeTrue(
                Boolean.getBoolean(WHOLE_MATRIX),
                () -> "half a minute more; run with -D" + WHOLE_MATRIX + "=true");
        holdToTheBroker(version, java, 1, directory);
    }

    private static void holdToTheBroker(KafkaVersion version, int java, int brokers, Path directory)
            throws Exception {
        Optional<Path> jdk = Jdks.find(java);
        assumeTrue(
                jdk.isPresent(),
                () -> "no JDK " + java + " in /usr/lib/jvm, JAVA_HOME_" + java + " is not set");
        Path root = Path.of(System.getProperty("phasewise.root"));
        KafkaCluster.Builder description =
                KafkaCluster.builder(root, directory)
                        .shortLived()
                        .version(version)
                        .javaHome(jdk.orElseThrow());
        try (ExportingCluster cluster =
                ExportingCluster.startWithBothAgents(description, brokers)) {
            cluster.kafka()
                    .withLogsOnFailure(
                            () -> {
                                drive(cluster, brokers);
                                for (int broker = 1; broker <= brokers; broker++) {
                                    settle(cluster, broker);
                                    compare(cluster, broker, version);
                                }
                                assertThat(canaryCount(cluster, brokers)).isEqualTo(CANARY_RECORDS);
                                assertThat(cluster.kafka().logTails(5_000))
                                        .doesNotContain("ERROR phasewise-exporter");
                                return null;
                            });
        }
    }

    private static double leaders(ExportingCluster cluster, int brokers) throws Exception {
        double leaders = 0;
        for (int broker = 1; broker <= brokers; broker++) {
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

    private static void drive(ExportingCluster cluster, int brokers) throws Exception {
        KafkaCluster kafka = cluster.kafka();
        for (int broker = 1; broker <= brokers; broker++) {
            Scrape own = cluster.scrapeOwn(broker);
            assertThat(own.named("kafka_exporter_request_timing_active"))
                    .as("timing is active on broker %d", broker)
                    .singleElement()
                    .satisfies(active -> assertThat(active.value()).isOne());
        }
        double leaders = leaders(cluster, brokers);
        assertThat(leaders(cluster, brokers)).isEqualTo(leaders);
        // Creating a topic is forwarded to the controller, in an envelope.
        kafka.createTopic("orders", 2, brokers, Map.of());
        // Sooner than the minute for which such a count rests while no change is noticed.
        await("the new leaders are counted")
                .atMost(Duration.ofSeconds(20))
                .until(() -> leaders(cluster, brokers) >= leaders + 2);
        Traffic traffic = new Traffic(kafka.clientProperties());
        traffic.produce("orders", 2, 60);
        traffic.consume("orders", 2, 60);
        traffic.consumeAsGroup("orders", "readers", 60);
        traffic.produceInTransactions("orders", 5);

        client(kafka, "phasewise-canary-it").produce("orders", 2, CANARY_RECORDS);

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
                                slow.send(new ProducerRecord<>("orders", 0, null, TOO_MUCH)).get();
                                return throttled(cluster, brokers) > 0;
                            });
        }
        assertThatThrownBy(
                        () ->
                                admin.describeTopics(List.of("no-such-topic"))
                                        .allTopicNames()
                                        .get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
    }

    private static double throttled(ExportingCluster cluster, int brokers) throws Exception {
        double seconds = 0;
        for (int broker = 1; broker <= brokers; broker++) {
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
    private static void settle(ExportingCluster cluster, int broker) {
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

    private static void compare(ExportingCluster cluster, int broker, KafkaVersion version)
            throws Exception {
        Scrape before = cluster.scrape(broker);
        Scrape own = cluster.scrapeOwn(broker);
        Scrape after = cluster.scrape(broker);

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
                    assertThat(count)
                            .as("%s %s between two readings of Kafka's own", kind, phase)
                            .isBetween(
                                    before.value(name + "count", "request", kind),
                                    // Ours counts as Kafka's begins to.
                                    after.value(name + "count", "request", kind) + 1);
                    if (count > 0) {
                        double mean = sum(own, kind, phase) / count * 1_000;
                        double first = before.value(name + "mean", "request", kind);
                        double last = after.value(name + "mean", "request", kind);
                        // Each of Kafka's values is rounded to whole ms, by half of one at most;
                        // where requests go on, the mean moves between the readings.
                        assertThat(mean)
                                .as("mean %s %s in ms", kind, phase)
                                .isBetween(
                                        Math.min(first, last) - 0.6, Math.max(first, last) + 0.6);
                    }
                });
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
                                                "request",
                                                kind,
                                                "phase",
                                                phase,
                                                "le",
                                                "+Inf"))
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

    private static double canaryCount(ExportingCluster cluster, int brokers) throws Exception {
        double count = 0;
        for (int broker = 1; broker <= brokers; broker++) {
            count +=
                    cluster.scrapeOwn(broker)
                            .value(
                                    CANARY_SECONDS + "_count",
                                    "request",
                                    "Produce",
                                    "phase",
                                    "total");
        }
        return count;
    }

    private static double count(Scrape own, String kind, String phase) {
        return own.value(PHASE_SECONDS + "_count", "request", kind, "phase", phase);
    }

    private static double sum(Scrape own, String kind, String phase) {
        return own.value(PHASE_SECONDS + "_sum", "request", kind, "phase", phase);
    }
}
