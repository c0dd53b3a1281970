/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.canary.Canary;
import io.phasewise.canary.config.CanaryConfig;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.ConfigLoader;
import io.phasewise.canary.topic.Removal;
import io.phasewise.lab.junit.SharedCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The canary in a cluster that is somebody else's: it pauses, gives way, and leaves nothing. */
class GuestIT {
    @RegisterExtension static final SharedCluster CLUSTER = TestClusters.SHARED;

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final String MOVED = "guest-moved";
    private static final String PAUSED = "kafka_canary_paused";
    private static final String SCHEDULED = "kafka_canary_probes_scheduled_total";

    @TempDir private Path directory;

    private CanaryConfig config(String topic, Map<String, ?> more) throws Exception {
        Map<String, Object> cluster = new HashMap<>(more);
        cluster.put("bootstrap-servers", CLUSTER.get().bootstrap());
        cluster.put("topic", Map.of("name", topic));
        Map<String, Object> canary =
                Map.of(
                        "http",
                        Map.of("port", 0),
                        "pause-file",
                        directory.resolve("paused").toString(),
                        "clusters",
                        Map.of("it", cluster));
        return new ConfigLoader(Map.of())
                .load(new ObjectMapper().writeValueAsString(Map.of("canary", canary)), "test")
                .config();
    }

    private static CanaryPages started(Canary canary) {
        canary.start();
        CanaryPages pages = new CanaryPages("http://127.0.0.1:" + canary.port());
        await("ready").atMost(BOUND).until(pages::ready);
        return pages;
    }

    @Test
    void aPausedCanarySendsNothingUntilItMayAgain() throws Exception {
        try (Canary canary = new Canary(config("guest-pauses", Map.of()), "test")) {
            CanaryPages pages = started(canary);
            assertThat(pages.scrape().sum(PAUSED)).isZero();

            Files.writeString(directory.resolve("paused"), "it\n");
            await("paused").atMost(BOUND).until(() -> pages.scrape().sum(PAUSED) == 1);
            await("what was under way is back")
                    .atMost(BOUND)
                    .until(() -> pages.scrape().sum("kafka_canary_probes_in_flight") == 0);
            double sent = pages.scrape().sum(SCHEDULED);
            assertThat(pages.cluster("it").get("state").asText()).isEqualTo("paused");
            assertThat(pages.readiness()).contains("cluster it: paused");
            assertThat(problems(pages)).contains("no probes are sent until it is removed");
            // Otherwise some 120 are due.
            await("none is sent")
                    .during(Duration.ofSeconds(2))
                    .until(() -> pages.scrape().sum(SCHEDULED) == sent);

            Files.delete(directory.resolve("paused"));
            await("goes on")
                    .atMost(BOUND)
                    .until(() -> pages.ready() && pages.scrape().sum(SCHEDULED) > sent);
            assertThat(pages.scrape().sum("kafka_canary_probes_total", "outcome=\"lost\""))
                    .isZero();
        }
    }

    /** A balancer wants the first broker to lead nothing; the canary, that it leads something. */
    @Test
    void whereABalancerMovesItsReplicasBackItGivesWayAndSaysSo() throws Exception {
        Admin admin = CLUSTER.get().admin();
        List<List<Integer>> wanted = List.of(List.of(2, 1, 3), List.of(2, 3, 1), List.of(3, 1, 2));
        try (Canary canary = new Canary(config(MOVED, Map.of()), "test")) {
            CanaryPages pages = started(canary);
            int moves = 0;
            long end = System.nanoTime() + BOUND.toNanos();
            while (System.nanoTime() < end && !givesWay(pages)) {
                if (!replicas(admin).equals(wanted)) {
                    moves++;
                    move(admin, wanted);
                    await("moved").atMost(BOUND).until(() -> replicas(admin).equals(wanted));
                }
            }
            assertThat(problems(pages)).contains("topic.manage.reassign");
            assertThat(moves).as("its first, and after each time that it was undone").isEqualTo(3);

            // Two more looks.
            await("what the balancer wants stays")
                    .atMost(BOUND)
                    .during(Duration.ofSeconds(12))
                    .until(() -> replicas(admin).equals(wanted));
        }
    }

    private static void move(Admin admin, List<List<Integer>> to) throws Exception {
        Map<TopicPartition, Optional<NewPartitionReassignment>> all = new HashMap<>();
        for (int number = 0; number < to.size(); number++) {
            all.put(
                    new TopicPartition(MOVED, number),
                    Optional.of(new NewPartitionReassignment(to.get(number))));
        }
        admin.alterPartitionReassignments(all).all().get();
    }

    private static boolean givesWay(CanaryPages pages) {
        return problems(pages).contains("something else moves this topic");
    }

    private static String problems(CanaryPages pages) {
        return pages.cluster("it").get("problems").toString();
    }

    /** Of each partition, by number. */
    private static List<List<Integer>> replicas(Admin admin) throws Exception {
        return admin
                .describeTopics(List.of(MOVED))
                .allTopicNames()
                .get()
                .get(MOVED)
                .partitions()
                .stream()
                .map(each -> each.replicas().stream().map(Node::id).toList())
                .toList();
    }

    @Test
    void removalTakesTopicAndGroupAndRefusesWhileACanarySends() throws Exception {
        Admin admin = CLUSTER.get().admin();
        CanaryConfig config =
                config("guest-leaves", Map.of("consumer-group", Map.of("enabled", true)));
        List<ClusterConfig> profiles = config.clusters();
        List<String> lines = new ArrayList<>();
        Removal removal = new Removal(admin, Duration.ofSeconds(2), lines::add);
        try (Canary canary = new Canary(config, "test")) {
            started(canary);

            assertThat(removal.remove(profiles)).isFalse();
            assertThat(lines).singleElement().asString().contains("still sends to guest-leaves");
            assertThat(admin.listTopics().names().get()).contains("guest-leaves");
        }
        lines.clear();

        assertThat(removal.remove(profiles)).isTrue();

        assertThat(lines)
                .contains("removed topic guest-leaves")
                .anyMatch(line -> line.startsWith("removed consumer group phasewise-canary-it-"));
        await("gone")
                .atMost(BOUND)
                .until(() -> !admin.listTopics().names().get().contains("guest-leaves"));
        lines.clear();
        assertThat(removal.remove(profiles)).as("again").isTrue();
        assertThat(lines).noneMatch(line -> line.startsWith("removed"));
    }
}
