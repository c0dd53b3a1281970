/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.canary.supervise.RunQueueWait;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scrape;
import io.prometheus.metrics.expositionformats.generated.com_google_protobuf_4_36_1.Metrics;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three brokers of Kafka 4.4 in the clear: what the canary shows, and a broker's death and return.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ThreeBrokersIT {
    private static final Duration BOUND = Duration.ofSeconds(120);
    private static final List<Integer> BROKERS = List.of(1, 2, 3);

    private static final String PARTITION = "kafka_canary_partition_leader_info";
    private static final String SLOW = "slow probe id=";
    private static final String PROBE_ID = "[0-9a-f]{16}-\\d+-\\d+";

    private KafkaCluster cluster;
    private CanaryProcess canary;
    private Path loaded;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        cluster =
                TestClusters.three(
                        directory,
                        builder ->
                                builder.behindLinks()
                                        // Otherwise a killed broker counts as alive for nine
                                        // seconds.
                                        .brokerProperty("broker.session.timeout.ms", "5000")
                                        .brokerProperty("broker.heartbeat.interval.ms", "500"));
        cluster.start();
        loaded = directory.resolve("loaded-classes.log");
        canary =
                new CanaryProcess(
                        directory,
                        Map.of(
                                "local",
                                Map.of(
                                        "bootstrap-servers",
                                        cluster.bootstrap(),
                                        "loss-horizon",
                                        "10s")),
                        List.of("-Xmx128m", "-Xlog:class+load:file=" + loaded));
    }

    @AfterAll
    void stop() {
        if (canary != null) {
            canary.close();
        }
        cluster.close();
    }

    @BeforeEach
    void allIsWell() {
        await("ready, every broker leads, and is measured")
                .atMost(BOUND)
                .untilAsserted(
                        () -> {
                            assertThat(canary.ready()).as(canary.readiness()).isTrue();
                            Scrape now = canary.scrape();
                            assertThat(now.sum(PARTITION, "preferred=\"true\"")).isEqualTo(3);
                            assertThat(BROKERS)
                                    .allMatch(broker -> CanaryPages.delivered(now, broker) >= 20);
                        });
    }

    @Test
    void eachBrokerLeadsOnePartitionAndThereIsNoProblem() {
        JsonNode local = canary.cluster("local");
        assertThat(local.get("state").asText()).isEqualTo("running");
        assertThat(local.get("problems")).isEmpty();
        assertThat(local.get("topic").get("partitions").asInt()).isEqualTo(3);
        assertThat(local.get("topic").get("replicationFactor").asInt()).isEqualTo(3);
        assertThat(local.get("brokers"))
                .allMatch(b -> b.get("leads").asBoolean() && b.get("ready").asBoolean());
        assertThat(local.get("brokers").findValuesAsText("partition")).doesNotHaveDuplicates();
    }

    @Test
    void everyLeadersHistogramAdvancesInTheTextForm() {
        Scrape before = canary.scrape();

        await("30 more through each broker")
                .atMost(BOUND)
                .until(
                        () ->
                                BROKERS.stream()
                                        .allMatch(
                                                b ->
                                                        count(canary.scrape(), b)
                                                                >= count(before, b) + 30));

        Scrape now = canary.scrape();
        assertThat(now.text()).endsWith("# EOF\n");
        assertThat(
                        now.sum(
                                "kafka_canary_end_to_end_latency_seconds_bucket",
                                "le=\"+Inf\"",
                                CanaryPages.leader(1)))
                .isGreaterThan(0);
        assertThat(now.text())
                .contains("kafka_canary_producer_latency_seconds_bucket{", "le=\"0.05\"")
                .contains(
                        "kafka_producer_record_send_total{",
                        "kafka_consumer_",
                        "kafka_admin_client_")
                .contains("jvm_memory_used_bytes", "process_cpu_seconds_total")
                .contains(
                        "kafka_canary_stalled_bad_probes_total{",
                        "kafka_canary_slow_probes_phase_seconds_total{",
                        "kafka_canary_consumer_latency_seconds_bucket{");
        assertThat(now.text().contains("kafka_canary_run_queue_wait_seconds_total "))
                .as("told where the system tells")
                .isEqualTo(RunQueueWait.isTold(RunQueueWait.TASKS));
        assertThat(now.sum(PARTITION, "preferred=\"true\"")).isEqualTo(3);
        assertThat(BROKERS).allMatch(each -> CanaryPages.conserved(now, each));
    }

    @Test
    void theProtobufFormCarriesBothKindsOfHistogram() throws Exception {
        Metrics.Histogram histogram = null;
        InputStream in = new ByteArrayInputStream(canary.scrapeProtobuf());
        for (Metrics.MetricFamily family;
                (family = Metrics.MetricFamily.parseDelimitedFrom(in)) != null; ) {
            if (family.getName().equals("kafka_canary_end_to_end_latency_seconds")) {
                assertThat(family.getMetricCount()).isEqualTo(3);
                histogram = family.getMetric(0).getHistogram();
            }
        }

        assertThat(histogram).isNotNull();
        assertThat(histogram.getSchema()).isEqualTo(6);
        assertThat(histogram.getPositiveSpanCount()).as("native").isPositive();
        assertThat(histogram.getBucketCount()).as("classic").isGreaterThan(50);
        // Prometheus takes the exemplars of the native form from the classic buckets, too.
        assertThat(
                        histogram.getBucketList().stream()
                                .filter(Metrics.Bucket::hasExemplar)
                                .map(bucket -> bucket.getExemplar().getLabel(0)))
                .as("probes named")
                .isNotEmpty()
                .allMatch(
                        label ->
                                label.getName().equals("probe_id")
                                        && label.getValue().matches(PROBE_ID));
        assertThat(canary.scrape().text())
                .containsPattern("_bucket\\{.* # \\{probe_id=\"" + PROBE_ID);
    }

    @Test
    void theSlowestProbesAreShownWithAllTheirInstantsAndLoggedWhenTheyMissTheTarget() {
        boolean logged = canary.log().contains(SLOW);
        JsonNode slowest = canary.cluster("local").get("slowestProbes");

        assertThat(slowest).hasSizeBetween(10, 50);
        long before = Long.MAX_VALUE;
        boolean missed = false;
        for (JsonNode probe : slowest) {
            assertThat(probe.get("id").asText()).matches(PROBE_ID);
            long latency = probe.get("endToEndNanos").asLong();
            assertThat(latency).as("slowest first").isLessThanOrEqualTo(before);
            before = latency;
            missed |= latency > 50_000_000;
            long sum = 0;
            for (JsonNode phase : probe.get("phaseNanos")) {
                sum += phase.asLong();
            }
            assertThat(sum).isEqualTo(latency);
            assertThat(probe.get("nanosSinceDue").get("delivered").asLong()).isEqualTo(latency);
        }
        if (missed) {
            await("logged").atMost(BOUND).until(() -> canary.log().contains(SLOW));
        } else {
            assertThat(logged).isFalse();
        }
    }

    @Test
    void nothingOfOpenTelemetryIsLoadedWithoutTraces() throws Exception {
        assertThat(Files.readString(loaded))
                .contains(" io.phasewise.canary.probe.ledger.Ledger ")
                .doesNotContain(" io.opentelemetry.");
        assertThat(canary.scrape().text()).doesNotContain("kafka_canary_trace");
    }

    @Test
    void aKilledBrokerIsNamedTheOthersAreMeasuredOnAndItIsItselfWhenItIsBack() throws Exception {
        long before = saidOfBroker2();
        cluster.broker(2).kill();
        try {
            theOthersAreStillMeasured();
            assertThat(saidOfBroker2()).as("said once").isEqualTo(before + 1);
        } finally {
            cluster.broker(2).start();
        }
        double delivered = CanaryPages.delivered(canary.scrape(), 2);

        await("ready again")
                .atMost(BOUND)
                .until(
                        () -> {
                            assertThat(BROKERS)
                                    .allMatch(each -> CanaryPages.conserved(canary.scrape(), each));
                            return canary.ready()
                                    && CanaryPages.delivered(canary.scrape(), 2) > delivered + 20;
                        });
        assertThat(broker(2).get("leads").asBoolean()).isTrue();
        await("every probe of the outage has ended")
                .atMost(BOUND)
                .until(() -> canary.scrape().sum("kafka_canary_probes_in_flight") < 10);
        Scrape end = canary.scrape();
        assertThat(BROKERS).allMatch(each -> CanaryPages.conserved(end, each));
        assertThat(end.sum("kafka_canary_duplicates_total")).isZero();
        Scrape later = canary.scrape();
        assertThat(count(later, 1) + count(later, 2) + count(later, 3))
                .as("every probe that came back is in the histogram")
                .isGreaterThanOrEqualTo(
                        end.sum("kafka_canary_probes_total", "outcome=\"delivered\"")
                                + end.sum("kafka_canary_probes_total", "outcome=\"late\""));
    }

    private void theOthersAreStillMeasured() {
        await("not ready because of broker 2")
                .atMost(BOUND)
                .until(
                        () -> {
                            assertThat(BROKERS)
                                    .allMatch(each -> CanaryPages.conserved(canary.scrape(), each));
                            String why = canary.readiness();
                            return why.contains("broker 2 ")
                                    && !why.contains("broker 1 ")
                                    && !why.contains("broker 3 ");
                        });
        Scrape before = canary.scrape();
        await("brokers 1 and 3 go on")
                .atMost(BOUND)
                .until(
                        () -> {
                            Scrape now = canary.scrape();
                            return CanaryPages.delivered(now, 1)
                                            >= CanaryPages.delivered(before, 1) + 30
                                    && CanaryPages.delivered(now, 3)
                                            >= CanaryPages.delivered(before, 3) + 30;
                        });
        await("another broker leads its partition")
                .atMost(BOUND)
                .until(
                        () ->
                                !broker(2).get("leads").asBoolean()
                                        && canary.scrape().sum(PARTITION, "preferred=\"false\"")
                                                == 1);
        assertThat(broker(2).get("ready").asBoolean()).isFalse();
    }

    /** A machine that is paused for seconds makes the canary say so, too. */
    private long saidOfBroker2() {
        return canary.log()
                .lines()
                .filter(line -> line.contains("broker 2: probes no longer go"))
                .count();
    }

    @Tag("long")
    @Test
    void aPartitionThatIsAddedIsMeasuredWithinSecondsAndNoProbeFailsOrIsTakenForLost(
            @TempDir Path directory) throws Exception {
        Map<String, Object> fixed =
                Map.of(
                        "bootstrap-servers",
                        cluster.bootstrap(),
                        "deadline",
                        "2s",
                        "loss-horizon",
                        "5s",
                        "probe",
                        Map.of("rate", 10),
                        "topic",
                        Map.of("name", "fixed", "manage", Map.of("reassign", false)));
        // So that some probes of the partition that is given up are under way.
        cluster.clientLink(2).there().delay(Duration.ofMillis(400));
        try (CanaryProcess other = new CanaryProcess(directory, Map.of("local", fixed))) {
            await("ready").atMost(BOUND).until(other::ready);
            // The first probes of a cold JVM may fail, for reasons of their own.
            await("measured through every broker")
                    .atMost(BOUND)
                    .until(
                            () -> {
                                Scrape now = other.scrape();
                                return BROKERS.stream()
                                        .allMatch(b -> CanaryPages.delivered(now, b) >= 20);
                            });
            Scrape before = other.scrape();

            cluster.admin()
                    .alterPartitionReassignments(
                            Map.of(
                                    new TopicPartition("fixed", 0),
                                    Optional.of(new NewPartitionReassignment(List.of(2, 3, 1)))))
                    .all()
                    .get();

            await("broker 1 measured through a fourth partition")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> other.scrape().sum(PARTITION, "partition=\"3\"") == 1);
            Scrape added = other.scrape();
            await("longer than the loss horizon")
                    .atMost(BOUND)
                    .until(
                            () ->
                                    CanaryPages.delivered(other.scrape(), 1)
                                            > CanaryPages.delivered(added, 1) + 10 * 7);
            Scrape end = other.scrape();
            assertThat(end.sum(PARTITION, "partition=\"1\"")).as("broker 2's second").isZero();
            for (String outcome : List.of("outcome=\"send_failed\"", "outcome=\"lost\"")) {
                assertThat(end.sum("kafka_canary_probes_total", outcome))
                        .as(outcome)
                        .isEqualTo(before.sum("kafka_canary_probes_total", outcome));
            }
        } finally {
            cluster.clientLink(2).there().delay(Duration.ZERO);
        }
    }

    private JsonNode broker(int id) {
        return StreamSupport.stream(canary.cluster("local").get("brokers").spliterator(), false)
                .filter(b -> b.get("id").asInt() == id)
                .findFirst()
                .orElseThrow();
    }

    private static double count(Scrape scrape, int leader) {
        return scrape.sum(
                "kafka_canary_end_to_end_latency_seconds_count", CanaryPages.leader(leader));
    }
}
