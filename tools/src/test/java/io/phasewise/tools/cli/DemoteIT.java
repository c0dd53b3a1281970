/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.progress.Screen;
import io.phasewise.common.progress.Terminal;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.process.Await;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Broker 2 of a real cluster is demoted and gets its leaders back, by command lines, while somebody
 * else reassigns partitions. Broker 3 is down: a reassignment to it does not end by itself.
 */
class DemoteIT {

    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final Duration BOUND = Duration.ofSeconds(60);

    /** So many answers in a row come from both brokers, but for one time in a thousand. */
    private static final int ANSWERS = 10;

    private static final List<String> TOPICS = List.of("bikes", "orders", "users");

    private static KafkaCluster cluster;

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @BeforeAll
    static void startThreeBrokersOfWhichOneIsDown(@TempDir Path home) throws Exception {
        cluster = KafkaCluster.builder(ROOT, home)
                .shortLived()
                .stopGrace(Duration.ZERO)
                .build();
        cluster.start();
        cluster.broker(3).kill();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void createTopics() throws Exception {
        cluster.admin()
                .createTopics(TOPICS.stream().map(DemoteIT::topic).toList())
                .all()
                .get(30, TimeUnit.SECONDS);
        for (String topic : TOPICS) {
            await(
                    topic + " is led by broker 2",
                    () -> leader(topic) == 2 && description(topic).isr().size() == 2);
        }
    }

    @AfterEach
    void deleteTopics() throws Exception {
        Set<String> left = topics();
        left.retainAll(TOPICS);
        cluster.admin().deleteTopics(left).all().get(30, TimeUnit.SECONDS);
        await("there is no topic", () -> Collections.disjoint(topics(), TOPICS));
    }

    /** Broker 2 leads it, broker 1 is in sync. */
    private static NewTopic topic(String name) {
        return new NewTopic(name, Map.of(0, List.of(2, 1))).configs(Map.of("min.insync.replicas", "1"));
    }

    private Context context() {
        Screen screen = new Screen(new PrintStream(out, true, StandardCharsets.UTF_8), Terminal.plain());
        return new Context(
                directory,
                directory,
                Map.of(),
                "./phasewise",
                screen,
                InstantSource.system(),
                System::nanoTime,
                time -> {});
    }

    private int demote(String... options) {
        List<String> line = new ArrayList<>(List.of("2", "--keep=__.*"));
        line.addAll(List.of(options));
        return run(line);
    }

    private int run(List<String> options) {
        out.reset();
        List<String> all = new ArrayList<>(List.of("demote", "--bootstrap-server=" + cluster.bootstrap()));
        all.addAll(options);
        PrintWriter err = new PrintWriter(out, true, StandardCharsets.UTF_8);
        return Main.run(context(), () -> false, err, err, all.toArray(String[]::new));
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aPartitionThatIsBeingReassignedIsLeftAlone() throws Exception {
        reassign("orders", 3);

        assertThat(demote()).isZero();
        assertThat(said())
                .contains(
                        "orders-0: a reassignment runs, which adds [3] and removes [1, 2]", "Would move 2 partitions");
        assertThat(demote("--execute")).isEqualTo(1);

        assertThat(said()).contains("Moved 2 partitions", "orders-0: a reassignment runs");
        assertThat(reassigned()).containsOnlyKeys(partition("orders"));
        await("broker 2 leads orders", () -> leader("orders") == 2);
        await("the others are led by broker 1", () -> leader("bikes") == 1 && leader("users") == 1);
        assertThat(Files.readString(file())).contains("bikes", "users").doesNotContain("orders");

        cancel("orders");
    }

    @Test
    void theWholeCommandIsSaidThatDoesItAndTheOneThatUndoesIt() {
        String command = "./phasewise demote 2 --bootstrap-server " + cluster.bootstrap() + " --keep '__.*' ";

        assertThat(demote()).isZero();
        assertThat(said()).contains(command + "--execute").doesNotContain("--revert");

        assertThat(demote("--execute")).isZero();
        assertThat(said()).contains(command + "--revert");
    }

    @Test
    void withNothingToMoveItSaysWhy() {
        assertThat(run(List.of("2", "--keep", ".*s"))).isZero();
        assertThat(said())
                .contains("Nothing to move", "which --keep '.*s' leaves alone: bikes, orders, users")
                .doesNotContain("--execute");

        assertThat(run(List.of("1"))).isZero();
        assertThat(said()).contains("Broker 1 leads no partition and is the preferred leader of none");
    }

    @Test
    void whatCannotBeGivenBackYetStaysInTheFileUntilItIs() throws Exception {
        assertThat(demote("--execute")).as(said()).isZero();
        reassign("orders", 3);

        assertThat(demote("--revert")).isEqualTo(1);

        assertThat(said())
                .contains(
                        "Moved back 2 partitions", "orders-0: a reassignment runs", "Wait until it ends", "" + file());
        assertThat(reassigned()).containsOnlyKeys(partition("orders"));
        assertThat(Files.readString(file())).contains("orders").doesNotContain("bikes", "users");
        assertThat(demote("--execute")).as("there is only one way back").isEqualTo(2);

        cancel("orders");

        assertThat(demote("--revert")).as(said()).isZero();
        await("broker 2 leads all", () -> leader("orders") == 2 && leader("bikes") == 2 && leader("users") == 2);
        assertThat(file()).doesNotExist();
    }

    @Test
    void whatSomebodyElseHasMovedOrDeletedIsLeftAloneAndNamed() throws Exception {
        assertThat(demote("--execute")).as(said()).isZero();
        reassign("bikes", 1);
        await("bikes is on broker 1 only", () -> replicas("bikes").equals(List.of(1)));
        cluster.admin().deleteTopics(List.of("users")).all().get(30, TimeUnit.SECONDS);
        await(
                "users is gone",
                () -> !cluster.admin()
                        .listTopics()
                        .names()
                        .get(10, TimeUnit.SECONDS)
                        .contains("users"));

        assertThat(demote("--revert")).isEqualTo(1);

        assertThat(said())
                .contains(
                        "Moved back 1 partition",
                        "users-0: deleted since",
                        "bikes-0: its replicas are [1], were [2, 1]: somebody has moved it",
                        "or delete the file");
        assertThat(replicas("bikes")).containsExactly(1);
        assertThat(Files.readString(file())).contains("bikes").doesNotContain("orders", "users");
    }

    @Test
    void theFileOfAnotherClusterIsRefused() throws Exception {
        assertThat(demote("--execute")).as(said()).isZero();
        Path other = directory.resolve("other.json");
        Files.writeString(
                other, Files.readString(file()).replaceAll("\"cluster\" : \"[^\"]+\"", "\"cluster\" : \"elsewhere\""));

        assertThat(demote("--revert", "--file=" + other)).isEqualTo(2);

        assertThat(said()).contains("other.json is of the cluster elsewhere, and this one is");
        assertThat(other).exists();
        await("broker 1 leads orders still", () -> leader("orders") == 1); // brokers learn of a change one by one
    }

    private static Set<String> topics() throws Exception {
        return new HashSet<>(cluster.admin().listTopics().names().get(10, TimeUnit.SECONDS));
    }

    private Path file() {
        return directory.resolve("demoted-broker-2.json");
    }

    private static TopicPartition partition(String topic) {
        return new TopicPartition(topic, 0);
    }

    private void reassign(String topic, int replica) throws Exception {
        alter(topic, Optional.of(new NewPartitionReassignment(List.of(replica))));
    }

    private void cancel(String topic) throws Exception {
        alter(topic, Optional.empty());
        await("no reassignment runs", () -> reassigned().isEmpty());
        await(topic + " has its two replicas", () -> replicas(topic).size() == 2);
    }

    private void alter(String topic, Optional<NewPartitionReassignment> target) throws Exception {
        cluster.admin()
                .alterPartitionReassignments(Map.of(partition(topic), target))
                .all()
                .get(30, TimeUnit.SECONDS);
    }

    private Map<TopicPartition, ?> reassigned() throws Exception {
        return new HashMap<>(
                cluster.admin().listPartitionReassignments().reassignments().get(10, TimeUnit.SECONDS));
    }

    private int leader(String topic) throws Exception {
        return description(topic).leader().id();
    }

    private List<Integer> replicas(String topic) throws Exception {
        return description(topic).replicas().stream().map(node -> node.id()).toList();
    }

    private TopicPartitionInfo description(String topic) throws Exception {
        return cluster.admin()
                .describeTopics(List.of(topic))
                .topicNameValues()
                .get(topic)
                .get(10, TimeUnit.SECONDS)
                .partitions()
                .get(0);
    }

    /** Until all brokers say so: any of them answers, and each hears of changes in its own time. */
    private static void await(String what, Callable<Boolean> condition) throws InterruptedException {
        AtomicInteger inARow = new AtomicInteger();
        Await.that(what, BOUND).until(() -> {
            boolean holds = false;
            try {
                holds = condition.call();
            } catch (ExecutionException notYet) {
                // A broker that has not heard of the topic.
            }
            inARow.set(holds ? inARow.get() + 1 : 0);
            return inARow.get() >= ANSWERS ? Optional.empty() : Optional.of(inARow + " times in a row");
        });
    }
}
