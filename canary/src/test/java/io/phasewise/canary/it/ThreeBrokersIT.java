/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static io.phasewise.canary.it.RunningCanary.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.canary.supervise.RunQueueWait;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
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
    private static final List<String> LEADERS = List.of("leader=1", "leader=2", "leader=3");
    private static final String PARTITION = "kafka_canary_partition_leader_info";
    private static final String PINGS = "kafka_canary_pings_total";
    private static final String GROUP = "{enabled: true, protocol: ";

    private KafkaCluster cluster;
    private RunningCanary canary;
    private Path loaded;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        // Otherwise a killed broker counts as alive for nine seconds.
        String properties = """
                broker.session.timeout.ms=5000
                broker.heartbeat.interval.ms=500
                """;
        cluster = TestClusters.own(directory, 3, properties, ClusterBuilder::behindLinks);
        cluster.start();
        loaded = directory.resolve("loaded-classes.log");
        canary = RunningCanary.jar(
                directory,
                "clusters: {local: {bootstrap-servers: \"%s\", loss-horizon: 10s}}".formatted(cluster.bootstrap()),
                "-Xmx128m",
                "-Xlog:class+load:file=" + loaded);
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary, cluster);
    }

    @BeforeEach
    void allIsWell() {
        awaitThat("ready, every broker leads, and is measured", () -> {
            assertThat(canary.ready()).as(canary.readiness()).isTrue();
            JsonNode local = canary.cluster("local");
            assertThat(local.get("problems")).isEmpty();
            assertThat(local.get("brokers"))
                    .hasSize(3)
                    .allMatch(b -> b.get("leads").asBoolean());
            Scrape now = canary.scrape();
            assertThat(now.sum(PARTITION, "preferred=true")).isEqualTo(3);
            assertThat(LEADERS).allMatch(leader -> now.probes("delivered", leader) >= 20);
        });
    }

    @Test
    void everyLeadersHistogramAdvancesAndNamesProbes() {
        Scrape now = canary.awaitProbes(canary.scrape(), 30, List.of("cluster=local"), 1, 2, 3);
        assertThat(now.text())
                .endsWith("# EOF\n")
                .contains(
                        "le=\"0.05\"",
                        "kafka_producer_record_send_total{",
                        "kafka_consumer_",
                        "kafka_admin_client_",
                        "jvm_memory_used_bytes",
                        "process_cpu_seconds_total")
                .containsPattern("_bucket\\{.* # \\{probe_id=\"[0-9a-f]{16}-\\d+-\\d+");
        // On a full machine the round trips of some seconds may all be longer.
        canary.await("half a round trip of a ping", later -> {
            double delay = later.sum("kafka_canary_network_one_way_delay_seconds", "broker=1");
            return delay >= 1e-6 && delay <= 0.05;
        });
        assertThat(now.sum(PhaseMeans.END_TO_END + "_bucket", "le=+Inf", "leader=1"))
                .isPositive();
        assertThat(now.text().contains("kafka_canary_run_queue_wait_seconds_total "))
                .as("told where the system tells")
                .isEqualTo(RunQueueWait.isAvailable(RunQueueWait.TASKS));
        assertThat(LEADERS).allMatch(now::conserved);
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
        // A machine that is paused for seconds makes the canary say so, too.
        String said = "broker 2: probes no longer complete the round trip";
        int before = canary.log().split(said).length;
        cluster.broker(2).kill();
        try {
            awaitWhileConserved(
                    "not ready because of broker 2 alone",
                    now -> canary.readiness().contains("broker 2 ")
                            && !canary.readiness().matches(".*broker [13] .*"));
            canary.awaitProbes(canary.scrape(), 30, List.of("cluster=local"), 1, 3);
            canary.await(
                    "another broker leads its partition",
                    now -> !broker(2).get("leads").asBoolean() && now.sum(PARTITION, "preferred=false") == 1);
            assertThat(broker(2).get("ready").asBoolean()).isFalse();
            assertThat(canary.log().split(said)).as("said once").hasSize(before + 1);
        } finally {
            cluster.broker(2).start();
        }
        Scrape down = canary.scrape();
        awaitWhileConserved(
                "ready again, measured and pinged",
                now -> canary.ready()
                        && now.since(down).probes("delivered", "leader=2") > 20
                        && now.since(down).sum(PINGS, "broker=2") > 0);
        assertThat(broker(2).get("leads").asBoolean()).isTrue();
        Scrape end = canary.await("every probe of the outage has ended", now -> now.inFlight() < 10);
        assertThat(LEADERS).allMatch(end::conserved);
        assertThat(end.sum("kafka_canary_duplicates_total")).isZero();
        assertThat(canary.scrape().sum(PhaseMeans.END_TO_END + "_count"))
                .as("every probe that came back is in the histogram")
                .isGreaterThanOrEqualTo(end.probes("delivered") + end.probes("late"));
    }

    private void awaitWhileConserved(String what, Predicate<Scrape> holds) {
        canary.await(what, now -> {
            assertThat(LEADERS).allMatch(now::conserved);
            return holds.test(now);
        });
    }

    @Tag("long")
    @Test
    void aPartitionThatIsAddedIsMeasuredWithinSecondsAndNoProbeFailsOrIsTakenForLost(@TempDir Path directory)
            throws Exception {
        String fixed = """
                clusters:
                  local:
                    bootstrap-servers: %s
                    deadline: 2s
                    loss-horizon: 5s
                    probe: {rate: 10}
                    topic: {name: fixed, manage: {reassign: false}}
                """.formatted(cluster.bootstrap());
        // So that some probes of the partition that is given up are under way.
        cluster.clientLink(2).toServer().delay(Duration.ofMillis(400));
        try (RunningCanary other = RunningCanary.jar(directory, fixed, "-Xmx128m")) {
            // The first probes of a cold JVM may fail, for reasons of their own.
            Scrape before = other.await(
                    "ready, and measured through every broker",
                    now -> other.ready() && LEADERS.stream().allMatch(b -> now.probes("delivered", b) >= 20));

            TestClusters.move(cluster.admin(), "fixed", Map.of(0, List.of(2, 3, 1)));
            RunningCanary.patiently("broker 1 measured through a fourth partition")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> other.scrape().sum(PARTITION, "partition=3") == 1);
            double added = other.scrape().probes("delivered", "leader=1");
            Scrape end = other.await(
                    "longer than the loss horizon", now -> now.probes("delivered", "leader=1") > added + 10 * 7);
            assertThat(end.sum(PARTITION, "partition=1"))
                    .as("broker 2's second")
                    .isZero();
            assertThat(end.since(before).probes("send_failed")).isZero();
            assertThat(end.since(before).probes("lost")).isZero();
        } finally {
            cluster.clientLink(2).toServer().delay(Duration.ZERO);
        }
    }

    /** On topics without replication, whether a consumer is alone or a member of a group. */
    @Tag("long")
    @Test
    void aPausedBrokerDelaysNoProbeThatOthersLead(@TempDir Path directory) throws Exception {
        String each = """
                  %1$s:
                    bootstrap-servers: %2$s
                    probe: {rate: 5}
                    topic: {name: %1$s, replication-factor: 1}
                    consumer-group: %3$s
                """;
        String config = "clusters:\n"
                + each.formatted("alone", cluster.bootstrap(), "{}")
                + each.formatted("classic", cluster.bootstrap(), GROUP + "classic}")
                + each.formatted("consumer", cluster.bootstrap(), GROUP + "consumer}");
        List<String> all = List.of("cluster=alone", "cluster=classic", "cluster=consumer");
        try (RunningCanary other = RunningCanary.jar(directory, config, "-Xmx192m")) {
            other.awaitReady();
            Scrape earlier = other.scrape();
            Scrape before = other.awaitProbes(earlier, 15, all, 1, 2);
            Scrape after;
            cluster.broker(3).pause();
            try {
                after = other.awaitProbes(before, 15, all, 1, 2);
            } finally {
                cluster.broker(3).resume();
            }

            for (String of : all) {
                PhaseMeans plain = PhaseMeans.of(before.since(earlier), of, 1, 2);
                PhaseMeans paused = PhaseMeans.of(after.since(before), of, 1, 2);
                // Probes that waited for the paused broker would take seconds.
                assertThat(paused.total() - plain.total())
                        .as("%s, ms: all brokers %s; broker 3 paused %s", of, plain, paused)
                        .isLessThan(500);
            }
        }
    }

    private JsonNode broker(int id) {
        return canary.cluster("local").get("brokers").get(id - 1);
    }
}
