/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.phasewise.lab.kafka.ClusterPlan.BrokerPlan;
import io.phasewise.lab.kafka.ClusterSettings.BrokerPorts;
import io.phasewise.lab.kafka.ClusterSettings.Listener;
import io.phasewise.lab.kafka.ClusterSettings.Node;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is written for each broker and how it is run, seen as text. */
class ClusterPlanTest {

    private static final ListenerSecurity.SaslSsl SECURED =
            new ListenerSecurity.SaslSsl("admin", "admin-pw", Map.of("canary", "canary-pw"), true);

    private KafkaVersion version = KafkaVersion.V4_4;
    private List<Node> brokers = brokers(1);
    private List<Node> controllers = List.of();
    private ListenerSecurity security = new ListenerSecurity.Plaintext();
    private int heapMebibytes = 256;
    private final Map<String, String> brokerProperties = new LinkedHashMap<>();

    private ClusterSettings settings() {
        return new ClusterSettings(
                version,
                List.of(Path.of("/lib/a.jar"), Path.of("/lib/b.jar")),
                Path.of("/jdk"),
                Path.of("/work"),
                brokers,
                controllers,
                security,
                heapMebibytes,
                brokerProperties);
    }

    private ClusterPlan plan() {
        return new ClusterPlan(settings());
    }

    private Map<String, String> properties() {
        return plan().brokers().get(0).serverProperties();
    }

    private static List<Node> brokers(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(id -> node(id, new BrokerPorts(1000 + id, 2000 + id)))
                .toList();
    }

    private static Node node(int id, BrokerPorts ports, String... jvmOptions) {
        return new Node(id, ports, List.of(jvmOptions), Map.of());
    }

    private static Map<String, String> entries(String lines) {
        return lines.lines()
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }

    @Test
    void clientsAndBrokersMayReachABrokerByDifferentWays() {
        BrokerPorts ports = new BrokerPorts(new Listener(1001, 3001), 2001, Optional.of(new Listener(4001, 5001)));
        brokers = List.of(node(1, ports));

        assertThat(properties()).containsAllEntriesOf(entries("""
            listeners=CLIENT://127.0.0.1:1001,REPLICATION://127.0.0.1:4001,CONTROLLER://127.0.0.1:2001
            advertised.listeners=CLIENT://127.0.0.1:3001,REPLICATION://127.0.0.1:5001
            inter.broker.listener.name=REPLICATION
            listener.security.protocol.map=CLIENT:PLAINTEXT,REPLICATION:PLAINTEXT,CONTROLLER:PLAINTEXT
            """));
        assertThat(plan().bootstrap()).isEqualTo("127.0.0.1:3001");

        security = SECURED;
        assertThat(properties())
                .containsKeys(
                        "listener.name.client.scram-sha-512.sasl.jaas.config",
                        "listener.name.replication.scram-sha-512.sasl.jaas.config");
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "3, 3, 2", "5, 3, 2"})
    void threeBrokersAndMoreReplicateThriceAndAskForTwoInSync(int count, String replicas, String inSync) {
        brokers = brokers(count);

        assertThat(properties())
                .contains(
                        entry("default.replication.factor", replicas),
                        entry("min.insync.replicas", inSync),
                        entry("offsets.topic.replication.factor", replicas),
                        entry("transaction.state.log.replication.factor", replicas),
                        entry("transaction.state.log.min.isr", inSync));
    }

    @Test
    void whatIsAskedForOverridesTheDefaults() {
        brokers = brokers(3);
        assertThat(properties()).as("what all have").containsEntry("auto.create.topics.enable", "false");

        brokerProperties.put("min.insync.replicas", "1");
        brokerProperties.put("auto.create.topics.enable", "true");
        brokerProperties.put("log.retention.ms", "60000");

        assertThat(properties()).containsAllEntriesOf(brokerProperties);
    }

    @Test
    void inTheClearThereIsNothingAboutSecurity() {
        assertThat(properties()).doesNotContainKeys("authorizer.class.name", "sasl.enabled.mechanisms");
        assertThat(plan().scramCredentials()).isEmpty();
        assertThat(plan().clientProperties("", "")).containsOnlyKeys("bootstrap.servers");
    }

    @Test
    void securedBrokersAskClientsForPasswordsAndEachOtherForCertificates() {
        security = SECURED;

        assertThat(properties()).containsAllEntriesOf(entries("""
            listener.security.protocol.map=CLIENT:SASL_SSL,REPLICATION:SASL_SSL,CONTROLLER:SSL
            sasl.enabled.mechanisms=SCRAM-SHA-512
            sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
            listener.name.controller.ssl.client.auth=required
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
            super.users=User:admin;User:CN=broker
            """));
        assertThat(plan().scramCredentials())
                .containsExactly(
                        "SCRAM-SHA-512=[name=admin,password=admin-pw]",
                        "SCRAM-SHA-512=[name=canary,password=canary-pw]");
        assertThat(plan().clientProperties("canary", "canary-pw"))
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("ssl.truststore.location", "/work/tls/ca.pem");
    }

    @Test
    void withoutAuthorizerEveryUserMayDoEverything() {
        security = new ListenerSecurity.SaslSsl("admin", "pw", Map.of(), false);

        assertThat(properties()).doesNotContainKeys("authorizer.class.name", "super.users");
    }

    @Test
    void passwordsAreNotInTheCommandNorInTexts() {
        security = SECURED;

        assertThat(plan().brokers().get(0).process().command().toString()).doesNotContain("-pw");
        assertThat(SECURED.toString()).contains("admin", "canary").doesNotContain("-pw");
        assertThat(settings().toString()).doesNotContain("-pw");
        assertThat(plan().brokers().toString()).contains("id=1").doesNotContain("-pw");
    }

    @Test
    void theCommandHasTheHeapTheBrokersOwnOptionsAndEnvironmentAndNoOtherBrokers() {
        List<String> own = List.of("-javaagent:a.jar=7072");
        brokers = List.of(
                node(1, new BrokerPorts(1001, 2001), "-Dfirst"),
                new Node(2, new BrokerPorts(1002, 2002), own, Map.of("TZ", "UTC")));

        assertThat(plan().brokers().get(1).process().command())
                .startsWith("/jdk/bin/java", "-Xms256m", "-Xmx256m")
                .containsSubsequence("-XX:+UseG1GC", "-javaagent:a.jar=7072", "-cp")
                .doesNotContain("-Dfirst");
        assertThat(plan().brokers().get(1).process().environment()).containsExactly(entry("TZ", "UTC"));
    }

    @ParameterizedTest
    @CsvSource({
        "V4_4, -Dlog4j2.configurationFile=file:/work/broker-1/log4j2.properties, true",
        "V4_0, -Dlog4j2.configurationFile=file:/work/broker-1/log4j2.properties, true",
        "V3_9, -Dlog4j.configuration=file:/work/broker-1/log4j.properties, false",
    })
    void eachLineLogsThroughItsOwnLibraryAndIsToldOfWhatItHas(KafkaVersion line, String option, boolean shares) {
        version = line;

        assertThat(plan().brokers().get(0).process().command()).contains(option);
        assertThat(properties().containsKey("share.coordinator.state.topic.replication.factor"))
                .isEqualTo(shares);
    }

    @Test
    void withControllersOfTheirOwnBrokersDoNotVote() {
        controllers = List.of(node(101, new BrokerPorts(19096, 19096), "-Dfirst"));

        assertThat(properties())
                .containsEntry("process.roles", "broker")
                .containsEntry("controller.quorum.voters", "101@127.0.0.1:19096");
        BrokerPlan controller = plan().controllers().get(0);
        assertThat(controller.serverProperties())
                .containsEntry("process.roles", "controller")
                .doesNotContainKey("advertised.listeners");
        assertThat(controller.process().name()).isEqualTo("controller-1");
        assertThat(controller.process().command()).contains("-Dfirst");
        assertThat(plan().bootstrap()).isEqualTo("127.0.0.1:1001");
    }
}
