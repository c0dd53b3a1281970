/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static io.phasewise.canary.it.RunningCanary.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.phasewise.canary.commands.Removal;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.topic.TopicApplier;
import io.phasewise.lab.junit.SharedCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The canary in a cluster that is somebody else's: it pauses, gives way, and leaves nothing. */
class GuestIT {
    @RegisterExtension
    static final SharedCluster CLUSTER = TestClusters.SHARED;

    private static final String MOVED = "guest-moved";
    private static final String PAUSED = "kafka_canary_paused";
    private static final String SCHEDULED = "kafka_canary_probes_scheduled_total";

    @TempDir
    private Path directory;

    private String config(String topic) {
        return """
        pause-file: %s
        clusters:
          it:
            bootstrap-servers: %s
            topic: {name: %s}
            consumer-group: {enabled: %s}
        """.formatted(
                        directory.resolve("paused"), CLUSTER.get().bootstrap(), topic, topic.equals("guest-leaves"));
    }

    private RunningCanary started(String topic) throws Exception {
        return RunningCanary.embedded(config(topic));
    }

    @Test
    void aPausedCanarySendsNothingUntilItMayAgain() throws Exception {
        try (RunningCanary canary = started("guest-pauses")) {
            canary.awaitReady();
            assertThat(canary.scrape().sum(PAUSED)).isZero();

            Path file = Files.writeString(directory.resolve("paused"), "it\n");
            canary.await("paused", now -> now.sum(PAUSED) == 1);
            double sent = canary.await("what was under way is back", now -> now.inFlight() == 0)
                    .sum(SCHEDULED);
            assertThat(canary.cluster("it").get("state").asText()).isEqualTo("paused");
            assertThat(canary.readiness()).contains("cluster it: paused");
            assertThat(canary.problems("it")).contains("no probes are sent until it is removed");
            // Otherwise some 120 are due.
            RunningCanary.patiently("none is sent")
                    .during(Duration.ofSeconds(2))
                    .until(() -> canary.scrape().sum(SCHEDULED) == sent);

            Files.delete(file);
            Scrape after = canary.await("goes on", now -> canary.ready() && now.sum(SCHEDULED) > sent);
            assertThat(after.probes("lost")).isZero();
        }
    }

    /** A balancer wants the first broker to lead nothing; the canary, that it leads something. */
    @Test
    void whereABalancerMovesItsReplicasBackItGivesWayAndSaysSo() throws Exception {
        Admin admin = CLUSTER.get().admin();
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(TopicApplier.class);
        logger.addAppender(log);
        try (RunningCanary canary = started(MOVED)) {
            canary.awaitReady();
            await(
                    "gives way",
                    () -> balanced(admin) && canary.problems("it").contains("something else moves this topic"));
            assertThat(canary.problems("it")).contains("topic.manage.reassign");

            // One more look.
            RunningCanary.patiently("what the balancer wants stays")
                    .during(Duration.ofSeconds(7))
                    .until(() -> balanced(admin));
            assertThat(log.list.stream()
                            .map(ILoggingEvent::getFormattedMessage)
                            .filter(line -> line.contains("topic " + MOVED + ": move partition"))
                            .collect(Collectors.groupingBy(line -> line, Collectors.counting())))
                    .as("no move is made a third time")
                    .containsValue(2L)
                    .allSatisfy((move, times) -> assertThat(times).isLessThanOrEqualTo(2));
        } finally {
            logger.detachAppender(log);
        }
    }

    /** What a balancer does each time: it looks, and moves what is not where it wants it. */
    private static boolean balanced(Admin admin) throws Exception {
        Map<Integer, List<Integer>> wanted = Map.of(0, List.of(2, 1, 3), 1, List.of(2, 3, 1), 2, List.of(3, 1, 2));
        if (replicas(admin).equals(wanted)) {
            return true;
        }
        Set<TopicPartition> all =
                wanted.keySet().stream().map(p -> new TopicPartition(MOVED, p)).collect(Collectors.toSet());
        if (admin.listPartitionReassignments(all).reassignments().get().isEmpty()) {
            TestClusters.move(admin, MOVED, wanted);
        }
        return false;
    }

    /** Of each partition, by number. */
    private static Map<Integer, List<Integer>> replicas(Admin admin) throws Exception {
        return admin.describeTopics(List.of(MOVED)).allTopicNames().get().get(MOVED).partitions().stream()
                .collect(Collectors.toMap(
                        TopicPartitionInfo::partition,
                        each -> each.replicas().stream().map(Node::id).toList()));
    }

    @Test
    void removalTakesTopicAndGroupAndRefusesWhileACanarySends() throws Exception {
        Admin admin = CLUSTER.get().admin();
        List<ClusterConfig> profiles =
                RunningCanary.config(config("guest-leaves")).clusters();
        List<String> lines = new ArrayList<>();
        Removal removal = new Removal(admin, Duration.ofSeconds(2), lines::add);
        try (RunningCanary canary = started("guest-leaves")) {
            canary.awaitReady();
            assertThat(removal.remove(profiles)).isFalse();
            assertThat(lines).singleElement().asString().contains("still sends to guest-leaves");
            assertThat(admin.listTopics().names().get()).contains("guest-leaves");
        }
        lines.clear();

        assertThat(removal.remove(profiles)).isTrue();

        assertThat(lines)
                .anyMatch(line -> line.startsWith("deleted topic guest-leaves"))
                .anyMatch(line -> line.startsWith("deleted consumer group phasewise-canary-it-"));
        await("gone", () -> !admin.listTopics().names().get().contains("guest-leaves"));
        lines.clear();
        assertThat(removal.remove(profiles)).as("again").isTrue();
        assertThat(lines).noneMatch(line -> line.startsWith("deleted"));
    }
}
