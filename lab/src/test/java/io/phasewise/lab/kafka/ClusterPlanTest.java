/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.phasewise.lab.kafka.ClusterPlan.BrokerPlan;
import io.phasewise.lab.kafka.ClusterSettings.BrokerPorts;
import io.phasewise.lab.kafka.ClusterSettings.Controller;
import io.phasewise.lab.kafka.ClusterSettings.Listener;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is written for each broker and how it is run, seen as text. */
class ClusterPlanTest {

    private static final ListenerSecurity.SaslSsl SECURED =
            new ListenerSecurity.SaslSsl("admin", "admin-pw", Map.of("canary", "canary-pw"), true);

    @Test
    void everyBrokerIsAControllerAndKnowsAllVoters() {
        ClusterPlan plan = new ClusterPlan(settings(3).build());
        assertThat(plan.brokers()).extracting(BrokerPlan::id).containsExactly(1, 2, 3);
        assertThat(plan.brokers().get(1).serverProperties())
                .contains(
                        entry("process.roles", "broker,controller"),
                        entry("node.id", "2"),
                        entry(
                                "controller.quorum.voters",
                                "1@127.0.0.1:2001,2@127.0.0.1:2002,3@127.0.0.1:2003"),
                        entry("listeners", "CLIENT://127.0.0.1:1002,CONTROLLER://127.0.0.1:2002"),
                        entry("log.dirs", "/work/broker-2/data"));
        assertThat(plan.bootstrap()).isEqualTo("127.0.0.1:1001,127.0.0.1:1002,127.0.0.1:1003");
    }

    @Test
    void clientsAndBrokersMayReachABrokerByDifferentWays() {
        Settings settings = settings(1);
        settings.ports =
                List.of(
                        new BrokerPorts(
                                new Listener(1001, 3001),
                                2001,
                                Optional.of(new Listener(4001, 5001))));
        assertThat(properties(settings))
                .contains(
                        entry(
                                "listeners",
                                "CLIENT://127.0.0.1:1001,REPLICATION://127.0.0.1:4001,"
                                        + "CONTROLLER://127.0.0.1:2001"),
                        entry(
                                "advertised.listeners",
                                "CLIENT://127.0.0.1:3001,REPLICATION://127.0.0.1:5001"),
                        entry("inter.broker.listener.name", "REPLICATION"),
                        entry(
                                "listener.security.protocol.map",
                                "CLIENT:PLAINTEXT,REPLICATION:PLAINTEXT,CONTROLLER:PLAINTEXT"));
        assertThat(new ClusterPlan(settings.build()).bootstrap()).isEqualTo("127.0.0.1:3001");
    }

    @Test
    void aSecuredListenerForReplicationKnowsHowToLogIn() {
        Settings settings = settings(1);
        settings.security = SECURED;
        settings.ports =
                List.of(
                        new BrokerPorts(
                                new Listener(1001, 1001),
                                2001,
                                Optional.of(new Listener(4001, 4001))));
        assertThat(properties(settings))
                .containsKeys(
                        "listener.name.client.scram-sha-512.sasl.jaas.config",
                        "listener.name.replication.scram-sha-512.sasl.jaas.config")
                .containsEntry(
                        "listener.security.protocol.map",
                        "CLIENT:SASL_SSL,REPLICATION:SASL_SSL,CONTROLLER:SSL");
    }

    @Test
    void theEnvironmentIsHandedToTheProcess() {
        Settings settings = settings(1);
        settings.environment = Map.of("TZ", "UTC");
        assertThat(new ClusterPlan(settings.build()).brokers().get(0).process().environment())
                .containsExactly(entry("TZ", "UTC"));
    }

    @Test
    void threeBrokersReplicateThriceAndAskForTwoInSync() {
        assertThat(properties(settings(3)))
                .contains(
                        entry("default.replication.factor", "3"),
                        entry("min.insync.replicas", "2"),
                        entry("offsets.topic.replication.factor", "3"),
                        entry("transaction.state.log.replication.factor", "3"),
                        entry("transaction.state.log.min.isr", "2"));
    }

    @Test
    void aSingleBrokerReplicatesNothing() {
        assertThat(properties(settings(1)))
                .contains(
                        entry("default.replication.factor", "1"),
                        entry("min.insync.replicas", "1"),
                        entry("offsets.topic.replication.factor", "1"),
                        entry("transaction.state.log.min.isr", "1"));
    }

    @Test
    void fiveBrokersReplicateThriceToo() {
        assertThat(properties(settings(5))).contains(entry("default.replication.factor", "3"));
    }

    @Test
    void whatIsAskedForOverridesTheDefaults() {
        Settings settings = settings(3);
        settings.brokerProperties.put("min.insync.replicas", "1");
        settings.brokerProperties.put("log.retention.ms", "60000");
        assertThat(properties(settings))
                .contains(entry("min.insync.replicas", "1"), entry("log.retention.ms", "60000"));
    }

    @Test
    void inTheClearThereIsNothingAboutSecurity() {
        assertThat(properties(settings(3)))
                .contains(
                        entry(
                                "listener.security.protocol.map",
                                "CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT"))
                .doesNotContainKeys("authorizer.class.name", "sasl.enabled.mechanisms");
        assertThat(new ClusterPlan(settings(3).build()).scramCredentials()).isEmpty();
        assertThat(new ClusterPlan(settings(3).build()).clientProperties("", ""))
                .containsOnlyKeys("bootstrap.servers");
    }

    @Test
    void securedBrokersAskClientsForPasswordsAndEachOtherForCertificates() {
        Settings settings = settings(1);
        settings.security = SECURED;
        assertThat(properties(settings))
                .contains(
                        entry("listener.security.protocol.map", "CLIENT:SASL_SSL,CONTROLLER:SSL"),
                        entry("sasl.enabled.mechanisms", "SCRAM-SHA-512"),
                        entry("sasl.mechanism.inter.broker.protocol", "SCRAM-SHA-512"),
                        entry("listener.name.controller.ssl.client.auth", "required"),
                        entry(
                                "authorizer.class.name",
                                "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
                        entry("super.users", "User:admin;User:CN=broker"));
        ClusterPlan plan = new ClusterPlan(settings.build());
        assertThat(plan.scramCredentials())
                .containsExactly(
                        "SCRAM-SHA-512=[name=admin,password=admin-pw]",
                        "SCRAM-SHA-512=[name=canary,password=canary-pw]");
        assertThat(plan.clientProperties("canary", "canary-pw"))
                .contains(
                        entry("security.protocol", "SASL_SSL"),
                        entry("sasl.mechanism", "SCRAM-SHA-512"),
                        entry("ssl.truststore.location", "/work/tls/ca.pem"))
                .hasEntrySatisfying(
                        "sasl.jaas.config",
                        login ->
                                assertThat(login)
                                        .contains("username=\"canary\" password=\"canary-pw\""));
    }

    @Test
    void withoutAuthorizerEveryUserMayDoEverything() {
        Settings settings = settings(1);
        settings.security = new ListenerSecurity.SaslSsl("admin", "pw", Map.of(), false);
        assertThat(properties(settings)).doesNotContainKeys("authorizer.class.name", "super.users");
    }

    @Test
    void passwordsAreNotInTheCommandNorInTexts() {
        Settings settings = settings(1);
        settings.security = SECURED;
        ClusterPlan plan = new ClusterPlan(settings.build());
        assertThat(String.join(" ", plan.brokers().get(0).process().command()))
                .doesNotContain("-pw");
        assertThat(SECURED.toString()).contains("admin", "canary").doesNotContain("-pw");
        assertThat(settings.build().toString()).doesNotContain("-pw");
        assertThat(plan.brokers().toString()).contains("id=1").doesNotContain("-pw");
    }

    @Test
    void aPasswordThatTheStorageToolWouldMisreadIsRefusedWithoutShowingIt() {
        assertThatThrownBy(() -> new ListenerSecurity.SaslSsl("admin", "a,b", Map.of(), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the password of admin")
                .hasMessageNotContaining("a,b");
    }

    @Test
    void theCommandRunsTheBrokerWithItsHeapAndItsOwnOptionsLast() {
        Settings settings = settings(2);
        settings.jvmOptions = List.of(List.of("-Dfirst"), List.of("-javaagent:a.jar=7072"));
        List<String> command =
                new ClusterPlan(settings.build()).brokers().get(1).process().command();
        assertThat(command)
                .startsWith("/jdk/bin/java", "-Xms256m", "-Xmx256m", "-XX:+UseG1GC")
                .containsSubsequence("-XX:+UseG1GC", "-javaagent:a.jar=7072", "-cp")
                .doesNotContain("-Dfirst")
                .endsWith(
                        "-cp",
                        "/lib/a.jar:/lib/b.jar",
                        "kafka.Kafka",
                        "/work/broker-2/server.properties");
    }

    @Test
    void eachLineLogsThroughItsOwnLibrary() {
        Settings old = settings(1);
        old.version = KafkaVersion.V3_9;
        assertThat(new ClusterPlan(old.build()).brokers().get(0).process().command())
                .contains("-Dlog4j.configuration=file:/work/broker-1/log4j.properties");
        assertThat(new ClusterPlan(settings(1).build()).brokers().get(0).process().command())
                .contains("-Dlog4j2.configurationFile=file:/work/broker-1/log4j2.properties");
    }

    @Test
    void aLineWithoutShareGroupsIsNotToldAboutThem() {
        Settings old = settings(1);
        old.version = KafkaVersion.V3_9;
        assertThat(properties(old).keySet()).noneMatch(key -> key.startsWith("share."));
        assertThat(properties(settings(1)))
                .contains(entry("share.coordinator.state.topic.replication.factor", "1"));
    }

    @Test
    void thePlanIsTheSameEveryTime() {
        assertThat(new ClusterPlan(settings(3).build()).brokers())
                .isEqualTo(new ClusterPlan(settings(3).build()).brokers());
    }

    @Test
    void aClusterNeedsABrokerAndABrokerNeedsMemory() {
        assertThatThrownBy(() -> settings(0).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one broker");
        Settings starved = settings(1);
        starved.heapMebibytes = 64;
        assertThatThrownBy(starved::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("64 MiB: at least 128");
    }

    @Test
    void propertiesAreReadBackAsWritten() throws IOException {
        Map<String, String> written = new LinkedHashMap<>();
        written.put("plain", "1@127.0.0.1:19095");
        written.put("login", "Module required password=\"a#b!=c\";");
        written.put("path", "C:\\data \\new");
        written.put("space", " leading");
        written.put("lines", "a\nb");
        Properties read = new Properties();
        read.load(new StringReader(PropertiesFile.text(written)));
        assertThat(read).containsExactlyInAnyOrderEntriesOf(Map.copyOf(written));
    }

    private static Map<String, String> properties(Settings settings) {
        return new ClusterPlan(settings.build()).brokers().get(0).serverProperties();
    }

    private static Settings settings(int brokers) {
        Settings settings = new Settings();
        settings.ports =
                IntStream.rangeClosed(1, brokers)
                        .mapToObj(id -> new BrokerPorts(1000 + id, 2000 + id))
                        .toList();
        settings.jvmOptions = Collections.nCopies(brokers, List.of());
        return settings;
    }

    @Test
    void withControllersOfTheirOwnBrokersDoNotVote() {
        Settings settings = new Settings();
        settings.ports = List.of(new BrokerPorts(19092, 19095));
        settings.jvmOptions = List.of(List.of("-Dbroker"));
        settings.controllers =
                List.of(
                        new Controller(101, 19096, List.of("-Dfirst")),
                        new Controller(102, 19097, List.of()));

        ClusterPlan plan = new ClusterPlan(settings.build());

        Map<String, String> broker = plan.brokers().get(0).serverProperties();
        assertThat(broker)
                .containsEntry("process.roles", "broker")
                .containsEntry("listeners", "CLIENT://127.0.0.1:19092")
                .containsEntry("controller.listener.names", "CONTROLLER")
                .containsEntry(
                        "controller.quorum.voters", "101@127.0.0.1:19096,102@127.0.0.1:19097");
        ClusterPlan.BrokerPlan controller = plan.controllers().get(0);
        assertThat(controller.serverProperties())
                .containsEntry("process.roles", "controller")
                .containsEntry("node.id", "101")
                .containsEntry("listeners", "CONTROLLER://127.0.0.1:19096")
                .containsEntry(
                        "controller.quorum.voters", "101@127.0.0.1:19096,102@127.0.0.1:19097")
                .doesNotContainKey("advertised.listeners");
        assertThat(controller.process().name()).isEqualTo("controller-1");
        assertThat(controller.process().command()).contains("-Dfirst");
        assertThat(plan.bootstrap()).isEqualTo("127.0.0.1:19092");
    }

    /** Settings that tests change one at a time. */
    private static final class Settings {
        private KafkaVersion version = KafkaVersion.V4_4;
        private List<BrokerPorts> ports = List.of();
        private List<Controller> controllers = List.of();
        private ListenerSecurity security = new ListenerSecurity.Plaintext();
        private int heapMebibytes = 256;
        private final Map<String, String> brokerProperties = new LinkedHashMap<>();
        private List<List<String>> jvmOptions = List.of();
        private Map<String, String> environment = Map.of();

        ClusterSettings build() {
            return new ClusterSettings(
                    version,
                    List.of(Path.of("/lib/a.jar"), Path.of("/lib/b.jar")),
                    Path.of("/jdk"),
                    Path.of("/work"),
                    ports,
                    controllers,
                    security,
                    heapMebibytes,
                    brokerProperties,
                    jvmOptions,
                    Collections.nCopies(ports.size(), environment));
        }
    }
}
