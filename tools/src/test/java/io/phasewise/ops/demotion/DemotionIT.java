/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.common.cli.UsageException;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.process.Await;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker of a real cluster loses its leaders, gets them back, and keeps them where it must. */
class DemotionIT {

    private static final Set<String> KEPT = Set.of("phasewise-canary", "alone");

    /** So many in a row come from all three brokers, but for one time in twenty. */
    private static final int ANSWERS = 10;

    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    @TempDir
    Path directory;

    @Test
    void movesLeadersAwayAndBackAndRefusesWhatWouldBreakMinIsr() throws Exception {
        try (KafkaCluster cluster = KafkaCluster.builder(ROOT, directory.resolve("cluster"))
                .shortLived()
                .stopGrace(Duration.ZERO)
                .build()) {
            cluster.start();
            cluster.createTopic("orders", 6, 3, Map.of("min.insync.replicas", "2"));
            cluster.createTopic("phasewise-canary", 3, 3, Map.of());
            cluster.createTopic("alone", 3, 1, Map.of());
            List<String> all = List.of("orders", "phasewise-canary", "alone");
            await("all three are there", () -> topics(cluster).containsAll(all));
            List<List<Integer>> before = orders(cluster);
            List<Integer> leaders = leaders(cluster, "orders");
            List<Integer> canary = leaders(cluster, "phasewise-canary");
            assertThat(leaders).contains(2);
            Path file = directory.resolve("back.json");
            Demotion demotion = new Demotion(cluster.admin(), 2, file);
            assertThatThrownBy(() -> new Demotion(cluster.admin(), 9, file).execute(KEPT::contains))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("allowed: 1, 2, 3");

            DemotionPlan plan = demotion.plan(KEPT::contains);

            assertThat(plan.obstacles()).isEmpty();
            assertThat(plan.moves())
                    .hasSize((int) leaders.stream().filter(l -> l == 2).count());
            assertThat(orders(cluster)).isEqualTo(before);
            assertThat(file).doesNotExist();

            assertThat(demotion.execute(KEPT::contains)).isEqualTo(plan);

            await("broker 2 leads none", () -> !leaders(cluster, "orders").contains(2));
            assertThat(leaders(cluster, "phasewise-canary")).isEqualTo(canary);
            // A second time would forget the first way back.
            assertThat(demotion.execute(KEPT::contains).moves()).isEmpty();
            assertThatThrownBy(() -> demotion.execute("alone"::equals)).isInstanceOf(FileAlreadyExistsException.class);

            assertThat(demotion.revert().left()).isEmpty();

            await(
                    "all is as it was",
                    () -> leaders(cluster, "orders").equals(leaders)
                            && orders(cluster).equals(before));
            assertThat(file).doesNotExist();

            DemotionPlan refused = demotion.execute(topic -> false);

            assertThat(refused.obstacles())
                    .singleElement()
                    .asString()
                    .startsWith("alone-")
                    .contains("without broker 2 it has 0 in-sync replicas");
            assertThat(leaders(cluster, "orders")).isEqualTo(leaders);
            assertThat(file).doesNotExist();
        }
    }

    /** Until all brokers say so: any of them answers, and each hears of changes in its own time. */
    private static void await(String what, Callable<Boolean> condition) throws InterruptedException {
        AtomicInteger inARow = new AtomicInteger();
        Await.that(what, Duration.ofSeconds(60)).until(() -> {
            int times = condition.call() ? inARow.incrementAndGet() : 0;
            inARow.set(times);
            return times >= ANSWERS ? Optional.empty() : Optional.of(times + " times in a row");
        });
    }

    private static Set<String> topics(KafkaCluster cluster) throws Exception {
        return cluster.admin().listTopics().names().get(10, TimeUnit.SECONDS);
    }

    private static List<Integer> leaders(KafkaCluster cluster, String topic) throws Exception {
        return partitions(cluster, topic).stream().map(p -> p.leader().id()).toList();
    }

    private static List<List<Integer>> orders(KafkaCluster cluster) throws Exception {
        return partitions(cluster, "orders").stream()
                .map(partition ->
                        partition.replicas().stream().map(node -> node.id()).toList())
                .toList();
    }

    private static List<TopicPartitionInfo> partitions(KafkaCluster cluster, String topic) throws Exception {
        return cluster.admin()
                .describeTopics(List.of(topic))
                .topicNameValues()
                .get(topic)
                .get(10, TimeUnit.SECONDS)
                .partitions();
    }
}
