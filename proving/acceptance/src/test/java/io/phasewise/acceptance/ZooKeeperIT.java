/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.lab.measure.Scrape.label;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.BrokerLogs;
import io.phasewise.lab.junit.ScrapedPage;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.net.ReadinessChecks;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.process.Programs;
import io.phasewise.lab.stack.CanaryJvm;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Agent and canary on Kafka 3.9 with ZooKeeper, the last line that has it: measured as with KRaft,
 * the controller is seen, and what its end does to the leaders.
 */
@Tag("long")
class ZooKeeperIT {

    private static final KafkaVersion VERSION = KafkaVersion.V3_9;
    private static final String CONTROLLER = "kafka_controller_kafkacontroller_activecontrollercount";
    private static final String LEADERS = "kafka_server_replicamanager_leadercount";
    private static final String LED = "kafka_canary_partition_leader_info";

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void theWholeProductWorks(int brokers, @TempDir Path directory) throws Exception {
        try (PortLease port = PortLease.take(1);
                ManagedProcess zooKeeper = zooKeeper(directory, port.port(0));
                BrokersAndCanary all = new BrokersAndCanary(directory, brokers)) {
            Await.that("ZooKeeper listens", Duration.ofSeconds(60))
                    .needing(zooKeeper)
                    .until(ReadinessChecks.accepts(port.port(0)));
            KafkaCluster kafka = all.start(
                    description -> description.version(VERSION),
                    (broker, properties) -> toZooKeeper(broker, properties, port.port(0)));
            BrokerLogs.withFailure(kafka, () -> {
                all.startCanary(
                        Programs.java(),
                        CanaryJvm.options(),
                        "local: {bootstrap-servers: \"%s\", exporters: %s, topic: {replication-factor: %d}}"
                                .formatted(kafka.bootstrap(), all.exporters(), brokers));

                all.phasesAreThoseOfTheBrokers();
                all.theTopicIsTheCanarys();
                all.agentsAreAtWork(VERSION.toString());
                theControllerIsSeen(all, brokers);
                leadersAreCounted(all, brokers);
                if (brokers > 1) {
                    itsEndIsSurvived(all, brokers);
                }
            });
        }
    }

    private static ManagedProcess zooKeeper(Path directory, int port) throws IOException {
        String classPath = VERSION.classPath(Repository.ROOT).stream()
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        Path home = Files.createDirectories(directory.resolve("zookeeper"));
        List<String> command = List.of(
                Programs.java(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-Djava.net.preferIPv4Stack=true",
                "-Dzookeeper.admin.enableServer=false",
                "-cp",
                classPath,
                "org.apache.zookeeper.server.ZooKeeperServerMain",
                "" + port,
                home.resolve("data").toString());
        return ManagedProcess.start(
                new ProcessSpec("zookeeper", command, Map.of(), home, home.resolve("zookeeper.log")));
    }

    /** A broker that was laid out for KRaft is one of ZooKeeper; its storage has no format then. */
    private static void toZooKeeper(KafkaBroker broker, Properties properties, int port) {
        for (String key :
                List.of("process.roles", "node.id", "controller.quorum.voters", "controller.listener.names")) {
            properties.remove(key);
        }
        properties.setProperty("broker.id", "" + broker.id());
        properties.setProperty("zookeeper.connect", "127.0.0.1:" + port);
        properties.setProperty("listeners", properties.getProperty("listeners").replaceFirst(",CONTROLLER://.*", ""));
        properties.setProperty("listener.security.protocol.map", "CLIENT:PLAINTEXT");
        try {
            Files.delete(broker.dataDirectory().resolve("meta.properties"));
            Files.deleteIfExists(broker.dataDirectory().resolve("bootstrap.checkpoint"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void theControllerIsSeen(BrokersAndCanary all, int brokers) throws Exception {
        int seen = 0;
        for (int id = 1; id <= brokers; id++) {
            ScrapedPage agent = all.agent(id);
            seen += (int) agent.value(CONTROLLER);
            assertThat(agent.value("kafka_server_kafkaserver_brokerstate")).isEqualTo(3);
            assertThat(agent.value("kafka_server_replicamanager_offlinereplicacount"))
                    .isZero();
            assertThat(agent.sum("kafka_server_raft_metrics_current_state"))
                    .as("there is no quorum of KRaft")
                    .isZero();
        }
        assertThat(seen).isEqualTo(1);
        assertThat(all.agent(controller(all, brokers)).value("kafka_controller_kafkacontroller_offlinepartitionscount"))
                .isZero();
    }

    /** New leaders are counted within the minute for which a count may rest. */
    private static void leadersAreCounted(BrokersAndCanary all, int brokers) throws Exception {
        double before = leaders(all, brokers);
        all.kafka().createTopic("counted", 2 * brokers, brokers, Map.of());
        BrokersAndCanary.await("new leaders are counted", () -> leaders(all, brokers) >= before + 2 * brokers);
    }

    private static double leaders(BrokersAndCanary all, int brokers) {
        double sum = 0;
        for (int id = 1; id <= brokers; id++) {
            sum += all.agent(id).value(LEADERS);
        }
        return sum;
    }

    private static void itsEndIsSurvived(BrokersAndCanary all, int brokers) throws Exception {
        int first = controller(all, brokers);
        all.kafka().broker(first).kill();
        BrokersAndCanary.await("another is the controller", () -> controller(all, brokers) != first);
        BrokersAndCanary.await(
                "another leads its partition",
                () -> all.canary().sum(LED, label("leader", first)) == 0
                        && all.canary().sum(LED, label("preferred", "false")) == 1);
        all.kafka().broker(first).start();
        BrokersAndCanary.await(
                "the canary has given it its leadership back",
                () -> all.canary().sum(LED, label("preferred", "true")) == brokers,
                () -> "controller %d; %s"
                        .formatted(
                                controller(all, brokers),
                                all.status(BrokersAndCanary.CLUSTER).get("problems")));
        all.phasesAreThoseOfTheBrokers();
        all.theTopicIsTheCanarys();
    }

    /** The broker that says it is; 0 where none does. */
    private static int controller(BrokersAndCanary all, int brokers) {
        return IntStream.rangeClosed(1, brokers)
                .filter(id -> {
                    try {
                        return all.agentIfUp(id).value(CONTROLLER) == 1;
                    } catch (IOException down) {
                        return false;
                    }
                })
                .findFirst()
                .orElse(0);
    }
}
