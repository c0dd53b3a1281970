/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static io.phasewise.canary.it.RunningCanary.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.canary.topic.Change;
import io.phasewise.canary.topic.TopicApplier;
import io.phasewise.common.file.JarResource;
import io.phasewise.lab.junit.TokenServer;
import io.phasewise.lab.kafka.ClusterSettings.BrokerPorts;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.security.CertificateAuthority;
import io.phasewise.lab.security.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * One canary and one broker that asks everybody who they are, in three ways: by password (SCRAM),
 * by certificate and by token (OAUTHBEARER); each of the three users may do what the documentation
 * says and nothing else. Users who may do less are {@link BadClustersIT}'s.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecuredClusterIT {
    private static final List<String> ALL = List.of("scram", "mtls", "oauth");
    private static final String FIRST_PASSWORD = "first-canary-secret";
    private static final String SECOND_PASSWORD = "second-canary-secret";
    private static final String TOKEN_SECRET = "token-client-secret";
    private static final String ALLOWED_URLS = "-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=";

    private Path directory;
    private Path password;
    private PortLease ports;
    private TokenServer tokens;
    private KafkaCluster kafka;
    private CertificateAuthority clients;
    private RunningCanary canary;

    @BeforeAll
    void start(@TempDir Path shared) throws Exception {
        directory = shared;
        ports = PortLease.take(3);
        // Short-lived, so that tokens are fetched again while the test runs.
        tokens = new TokenServer("canary-oauth", TOKEN_SECRET, Duration.ofSeconds(20));
        clients = new CertificateAuthority("clients", InstantSource.system());
        TlsFiles.writeTrustPem(directory.resolve("clients-ca.pem"), clients.certificate());
        TlsFiles.writeKeyPem(directory.resolve("canary.pem"), clients.issueForThisHost("canary-mtls"));
        Path secrets = Files.createDirectory(directory.resolve("secrets"));
        password = Files.writeString(secrets.resolve("password"), FIRST_PASSWORD);
        Files.writeString(secrets.resolve("token-secret"), TOKEN_SECRET);
        kafka = broker();
        kafka.start();
        allow("canary-scram", "phasewise-canary-scram");
        allow("CN=canary-mtls", "phasewise-canary-mtls");
        allow("canary-oauth", "phasewise-canary-oauth");
        canary = RunningCanary.jar(
                directory, filled("secured-canary.yml"), "-Xmx192m", ALLOWED_URLS + tokens.tokenUrl());
    }

    /** A file beside this class, with what is known only now. */
    private String filled(String name) {
        return JarResource.text(SecuredClusterIT.class, name)
                .replace("$directory", directory.toString())
                .replace("$client-port", "" + ports.port(0))
                .replace("$mtls-port", "" + ports.port(1))
                .replace("$controller-port", "" + ports.port(2))
                .replace("$issuer", tokens.issuer());
    }

    private KafkaCluster broker() {
        return TestClusters.secured(
                directory,
                Map.of("canary-scram", FIRST_PASSWORD, "nobody", "nobody-secret"),
                filled("secured-broker.properties"),
                builder -> builder.ports(id -> new BrokerPorts(ports.port(0), ports.port(2)))
                        .jvmOption(ALLOWED_URLS + tokens.keysUrl()));
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary, kafka, tokens, ports);
    }

    /** Each measures with exactly the documented permissions. */
    @BeforeEach
    void allAreWell() throws Exception {
        // A test of passwords that failed may have left the two apart.
        TestClusters.setPassword(kafka, "canary-scram", Files.readString(password));
        Scrape before = canary.scrape();
        awaitThat("probes come back by each way in", () -> {
            Scrape grown = canary.scrape().since(before);
            for (String user : ALL) {
                assertThat(canary.problems(user)).as(user).isEqualTo("[]");
                assertThat(canary.cluster(user).get("state").asText()).isEqualTo("running");
                assertThat(back(grown, user)).as(user).isGreaterThan(5);
            }
        });
    }

    /** What a single broker gives no occasion for, asked for by hand. */
    @Test
    void thePermissionsDoForEveryChangeToTheTopicAndWithoutThemEachIsDenied() throws Exception {
        String topic = "by-hand";
        kafka.createTopic(topic, 1, 1, Map.of());
        allow("canary-scram", topic);
        List<Change> changes = List.of(
                new Change.Configure(Map.of("retention.ms", "700000")),
                new Change.Expand(2, List.of(List.of(1))),
                new Change.Reassign(0, List.of(1)),
                new Change.Elect(0));
        try (Admin nobody = Admin.create(kafka.clientProperties("nobody", "nobody-secret"));
                Admin admin = as(Files.readString(password))) {
            for (Change change : changes) {
                assertThat(new TopicApplier(() -> nobody, "test", topic)
                                .apply(change)
                                .problem())
                        .as(change.kind())
                        .hasValueSatisfying(
                                problem -> assertThat(problem.message()).contains("Authorization"));
                assertThat(new TopicApplier(() -> admin, "test", topic)
                                .apply(change)
                                .problem())
                        .as(change.kind())
                        .isEmpty();
            }
            assertThat(admin.listPartitionReassignments().reassignments().get()).isEmpty();
        }
    }

    @Test
    void aChangedPasswordIsTakenUpWithoutARestartAndWithoutALoss() throws Exception {
        String old = Files.readString(password);
        Scrape before = canary.scrape();
        replace(password, Files.writeString(directory.resolve("fresh"), SECOND_PASSWORD));

        awaitThat(
                "what is not valid yet is told, and measuring goes on",
                () -> assertThat(canary.problems("scram"))
                        .contains("secrets/password changed", "refuses the new content"));
        awaitBack("scram", 20);

        TestClusters.setPassword(kafka, "canary-scram", SECOND_PASSWORD);
        RunningCanary.await(
                "the new password is in use", () -> canary.problems("scram").equals("[]"));
        assertThatThrownBy(() -> {
                    try (Admin admin = as(old)) {
                        admin.describeCluster().nodes().get();
                    }
                })
                .hasRootCauseInstanceOf(SaslAuthenticationException.class);

        assertRenewedWithoutLoss("scram", "secrets/password", before);
    }

    @Test
    void aChangedCertificateIsTakenUpWithoutARestartAndWithoutALoss() throws Exception {
        Scrape before = canary.scrape();
        Path fresh = directory.resolve("canary-fresh.pem");
        TlsFiles.writeKeyPem(fresh, clients.issueForThisHost("canary-mtls"));
        replace(directory.resolve("canary.pem"), fresh);

        assertRenewedWithoutLoss("mtls", "canary.pem", before);
    }

    @Test
    void whoGetsNoTokenIsToldWhyAndTheSecretIsNotShown() {
        RunningCanary.await("told", () -> !canary.problems("intruder").equals("[]"));
        JsonNode problems = canary.cluster("intruder").get("problems");

        assertThat(problems.toString())
                .contains("token endpoint", "401", "invalid_client")
                .doesNotContain(".java:");
        assertThat(problems).hasSize(1);
        assertNoSecretShows();
    }

    private void assertNoSecretShows() {
        assertThat(canary.log() + canary.status() + canary.scrape().text())
                .doesNotContain(FIRST_PASSWORD, SECOND_PASSWORD, TOKEN_SECRET, "PRIVATE KEY");
    }

    private void assertRenewedWithoutLoss(String user, String file, Scrape before) {
        RunningCanary.await(
                "every client is made again",
                () -> canary.log()
                        .lines()
                        .filter(line -> line.contains(user) && line.contains(file))
                        .anyMatch(line -> line.contains("is replaced")));
        awaitBack(user, 40);
        canary.awaitNoProblems(user);
        Scrape grown = canary.scrape().since(before);
        String of = "cluster=" + user;
        assertThat(grown.probes("lost", of) + grown.probes("send_failed", of)).isZero();
        assertNoSecretShows();
    }

    private void awaitBack(String user, int probes) {
        Scrape before = canary.scrape();
        canary.await("probes come back", now -> back(now.since(before), user) > probes);
    }

    private static double back(Scrape grown, String user) {
        String of = "cluster=" + user;
        return grown.probes("delivered", of) + grown.probes("late", of);
    }

    private Admin as(String scramPassword) {
        return Admin.create(kafka.clientProperties("canary-scram", scramPassword));
    }

    private static void replace(Path file, Path by) throws Exception {
        Files.move(by, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** The list is that of the Strimzi example: one home for it. */
    private void allow(String principal, String topic) throws Exception {
        Path example =
                Path.of(System.getProperty("phasewise.root")).resolve("deploy/examples/strimzi/canary-user.yaml");
        Object user = new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(example));
        JsonNode acls = new ObjectMapper().valueToTree(user).at("/spec/authorization/acls");
        assertThat(acls).isNotEmpty();
        for (JsonNode acl : acls) {
            boolean ofTopic = acl.at("/resource/type").asText().equals("topic");
            for (JsonNode operation : acl.get("operations")) {
                TestClusters.allow(
                        kafka,
                        principal,
                        ofTopic ? ResourceType.TOPIC : ResourceType.CLUSTER,
                        ofTopic ? topic : Resource.CLUSTER_NAME,
                        operation(operation.asText()));
            }
        }
    }

    private static AclOperation operation(String camelCase) {
        return AclOperation.valueOf(
                camelCase.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT));
    }
}
