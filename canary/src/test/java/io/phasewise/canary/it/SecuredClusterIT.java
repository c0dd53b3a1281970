/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.canary.topic.Change;
import io.phasewise.canary.topic.TopicApplier;
import io.phasewise.lab.kafka.ClusterSettings.BrokerPorts;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.ListenerSecurity;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.security.CertificateAuthority;
import io.phasewise.lab.security.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourcePattern;
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
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final Duration BOUND = Duration.ofSeconds(90);
    private static final List<String> ALL = List.of("scram", "mtls", "oauth");
    private static final String FIRST_PASSWORD = "first-canary-secret";
    private static final String SECOND_PASSWORD = "second-canary-secret";
    private static final String TOKEN_SECRET = "token-client-secret";
    private static final String ALLOWED_URLS = "-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=";

    private Path directory;
    private PortLease ports;
    private TokenServer tokens;
    private KafkaCluster kafka;
    private CertificateAuthority clients;
    private CanaryProcess canary;

    @BeforeAll
    void start(@TempDir Path shared) throws Exception {
        directory = shared;
        ports = PortLease.take(3);
        // Short-lived, so that tokens are fetched again while the test runs.
        tokens = new TokenServer("canary-oauth", TOKEN_SECRET, Duration.ofSeconds(20));
        clients = new CertificateAuthority("clients", InstantSource.system());
        TlsFiles.writeTrustPem(directory.resolve("clients-ca.pem"), clients.certificate());
        kafka = broker();
        kafka.start();
        Map<String, Map<String, String>> users = users();
        Map<String, Object> clusters = new TreeMap<>();
        for (String user : ALL) {
            String topic = "phasewise-canary-" + user;
            allow(user.equals("mtls") ? "CN=canary-mtls" : "canary-" + user, topic);
            clusters.put(user, cluster(user, topic, users.get(user)));
        }
        Map<String, String> intruder = new TreeMap<>(users.get("oauth"));
        intruder.computeIfPresent(
                "sasl.jaas.config", (key, value) -> value.replace(":token-secret", ":password"));
        clusters.put("intruder", cluster("oauth", "phasewise-canary-intruder", intruder));
        canary =
                new CanaryProcess(
                        directory, clusters, List.of("-Xmx192m", ALLOWED_URLS + tokens.tokenUrl()));
    }

    @AfterAll
    void stop() {
        if (canary != null) {
            canary.close();
        }
        if (kafka != null) {
            kafka.close();
        }
        if (tokens != null) {
            tokens.close();
        }
        if (ports != null) {
            ports.close();
        }
    }

    @BeforeEach
    void allAreWell() throws Exception {
        // A test of passwords that failed may have left the two apart.
        setPassword("canary-scram", Files.readString(password()));
        Scrape before = canary.scrape();
        for (String user : ALL) {
            await("probes come back by each way in")
                    .atMost(BOUND)
                    .untilAsserted(
                            () -> {
                                assertThat(canary.cluster(user).get("problems")).as(user).isEmpty();
                                assertThat(delivered(user, canary.scrape()))
                                        .as(user)
                                        .isGreaterThan(delivered(user, before) + 5);
                            });
        }
    }

    @Test
    void eachMeasuresWithExactlyTheDocumentedPermissions() {
        for (String user : ALL) {
            JsonNode cluster = canary.cluster(user);
            assertThat(cluster.get("problems")).as(user).isEmpty();
            assertThat(cluster.get("state").asText()).as(user).isEqualToIgnoringCase("running");
        }
    }

    /** What a single broker gives no occasion for, asked for by hand. */
    @Test
    void thePermissionsDoForEveryChangeToTheTopic() throws Exception {
        String topic = "by-hand";
        kafka.createTopic(topic, 1, 1, Map.of());
        allow("canary-scram", topic);
        try (Admin admin = Admin.create(scram("canary-scram", Files.readString(password())))) {
            TopicApplier applier = new TopicApplier(() -> admin, "test", topic);
            for (Change change : changes()) {
                assertThat(applier.apply(change)).as(change.kind()).isEmpty();
            }
            assertThat(admin.listPartitionReassignments().reassignments().get()).isEmpty();
        }
    }

    /** So that the one above can fail. */
    @Test
    void withoutThemEveryChangeIsDenied() throws Exception {
        try (Admin admin = Admin.create(scram("nobody", "nobody-secret"))) {
            TopicApplier applier = new TopicApplier(() -> admin, "test", "phasewise-canary-scram");
            for (Change change : changes()) {
                assertThat(applier.apply(change))
                        .as(change.kind())
                        .hasValueSatisfying(
                                problem -> assertThat(problem.message()).contains("Authorization"));
            }
        }
    }

    private static List<Change> changes() {
        return List.of(
                new Change.Configure(Map.of("retention.ms", "700000")),
                new Change.Expand(2, List.of(List.of(1))),
                new Change.Reassign(0, List.of(1)),
                new Change.Elect(0));
    }

    @Test
    void aChangedPasswordIsTakenUpWithoutARestartAndWithoutALoss() throws Exception {
        String old = Files.readString(password());
        Scrape before = canary.scrape();
        replace(password(), SECOND_PASSWORD);

        await("what is not valid yet is told, and measuring goes on")
                .atMost(BOUND)
                .untilAsserted(
                        () ->
                                assertThat(canary.cluster("scram").get("problems").toString())
                                        .contains("secrets/password changed", "does not accept"));
        awaitMoreDelivered("scram", 20);

        setPassword("canary-scram", SECOND_PASSWORD);
        await("the new password is in use")
                .atMost(BOUND)
                .until(() -> canary.cluster("scram").get("problems").isEmpty());
        assertThatThrownBy(() -> describe(old))
                .hasRootCauseInstanceOf(SaslAuthenticationException.class);

        assertRenewedWithoutLoss("scram", "secrets/password", before);
        assertNoSecretShows();
    }

    @Test
    void aChangedCertificateIsTakenUpWithoutARestartAndWithoutALoss() throws Exception {
        Scrape before = canary.scrape();
        Path fresh = directory.resolve("canary-fresh.pem");
        TlsFiles.writeKeyPem(fresh, clients.issueForThisHost("canary-mtls"));
        Files.move(
                fresh,
                directory.resolve("canary.pem"),
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.ATOMIC_MOVE);

        assertRenewedWithoutLoss("mtls", "canary.pem", before);
        assertNoSecretShows();
    }

    @Test
    void whoGetsNoTokenIsToldWhyAndTheSecretIsNotShown() {
        await("told")
                .atMost(BOUND)
                .until(() -> !canary.cluster("intruder").get("problems").isEmpty());
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
        await("every client is made again")
                .atMost(BOUND)
                .until(
                        () ->
                                canary.log()
                                        .lines()
                                        .anyMatch(
                                                line ->
                                                        line.contains(user)
                                                                && line.contains(file)
                                                                && line.contains("is replaced")));
        awaitMoreDelivered(user, 40);
        assertThat(canary.cluster(user).get("problems")).isEmpty();
        assertThat(unsuccessful(user, canary.scrape()) - unsuccessful(user, before))
                .as("lost or refused")
                .isZero();
    }

    private static double unsuccessful(String user, Scrape scrape) {
        return outcome(user, "lost", scrape) + outcome(user, "send_failed", scrape);
    }

    private void awaitMoreDelivered(String user, int probes) {
        double before = delivered(user, canary.scrape());
        await("probes come back")
                .atMost(BOUND)
                .until(() -> delivered(user, canary.scrape()) > before + probes);
    }

    private static double delivered(String user, Scrape scrape) {
        return outcome(user, "delivered", scrape) + outcome(user, "late", scrape);
    }

    private static double outcome(String user, String outcome, Scrape scrape) {
        return scrape.sum(
                "kafka_canary_probes_total",
                "cluster=\"" + user + "\"",
                "outcome=\"" + outcome + "\"");
    }

    private Path password() {
        return directory.resolve("secrets/password");
    }

    private KafkaCluster broker() {
        String at = "://127.0.0.1:";
        String forClients = "CLIENT" + at + ports.port(0) + ",MTLS" + at + ports.port(1);
        return KafkaCluster.builder(ROOT, directory.resolve("kafka"))
                .shortLived()
                .brokers(1)
                .ports(List.of(new BrokerPorts(ports.port(0), ports.port(2))))
                .security(
                        new ListenerSecurity.SaslSsl(
                                "admin",
                                "admin-secret",
                                Map.of("canary-scram", FIRST_PASSWORD, "nobody", "nobody-secret"),
                                true))
                .brokerProperty("listeners", forClients + ",CONTROLLER" + at + ports.port(2))
                .brokerProperty("advertised.listeners", forClients)
                .brokerProperty(
                        "listener.security.protocol.map", "CLIENT:SASL_SSL,MTLS:SSL,CONTROLLER:SSL")
                .brokerProperty("listener.name.mtls.ssl.client.auth", "required")
                .brokerProperty("listener.name.mtls.ssl.truststore.type", "PEM")
                .brokerProperty(
                        "listener.name.mtls.ssl.truststore.location",
                        directory.resolve("clients-ca.pem").toString())
                .brokerProperty("sasl.enabled.mechanisms", "SCRAM-SHA-512,OAUTHBEARER")
                .brokerProperty("sasl.oauthbearer.jwks.endpoint.url", tokens.keysUrl())
                .brokerProperty("sasl.oauthbearer.expected.audience", TokenServer.AUDIENCE)
                .brokerProperty("sasl.oauthbearer.expected.issuer", tokens.issuer())
                .brokerProperty(
                        "listener.name.client.oauthbearer.sasl.server.callback.handler.class",
                        "org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler")
                .brokerProperty(
                        "listener.name.client.oauthbearer.sasl.jaas.config",
                        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"
                                + " required;")
                .jvmOption(ALLOWED_URLS + tokens.keysUrl())
                .stopGrace(Duration.ZERO)
                .build();
    }

    /** Client properties by way in, as docs/how-to/security.md has them. */
    private Map<String, Map<String, String>> users() throws Exception {
        Path password = password();
        Files.createDirectories(password.getParent());
        Files.writeString(password, FIRST_PASSWORD);
        Files.writeString(password.resolveSibling("token-secret"), TOKEN_SECRET);
        TlsFiles.writeKeyPem(
                directory.resolve("canary.pem"), clients.issueForThisHost("canary-mtls"));
        String trust = directory.resolve("kafka/tls/ca.pem").toString();

        Map<String, String> scram = new TreeMap<>();
        scram.put("security.protocol", "SASL_SSL");
        scram.put("sasl.mechanism", "SCRAM-SHA-512");
        scram.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required"
                        + " username=\"canary-scram\" password=\"\\${dir:"
                        + password.getParent()
                        + ":password}\";");
        Map<String, String> mtls = new TreeMap<>();
        mtls.put("security.protocol", "SSL");
        mtls.put("ssl.keystore.type", "PEM");
        mtls.put("ssl.keystore.location", directory.resolve("canary.pem").toString());
        Map<String, String> oauth = new TreeMap<>();
        oauth.put("security.protocol", "SASL_SSL");
        oauth.put("sasl.mechanism", "OAUTHBEARER");
        oauth.put("sasl.oauthbearer.token.endpoint.url", tokens.tokenUrl());
        oauth.put(
                "sasl.login.callback.handler.class",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler");
        oauth.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required"
                        + " clientId=\"canary-oauth\" clientSecret=\"\\${dir:"
                        + password.getParent()
                        + ":token-secret}\";");
        for (Map<String, String> each : List.of(scram, oauth)) {
            each.put("config.providers", "dir");
            each.put(
                    "config.providers.dir.class",
                    "org.apache.kafka.common.config.provider.DirectoryConfigProvider");
        }
        for (Map<String, String> each : List.of(scram, mtls, oauth)) {
            each.put("ssl.truststore.type", "PEM");
            each.put("ssl.truststore.location", trust);
        }
        return Map.of("scram", scram, "mtls", mtls, "oauth", oauth);
    }

    private Map<String, Object> cluster(String user, String topic, Map<String, String> client) {
        Map<String, Object> cluster = new HashMap<>();
        cluster.put("bootstrap-servers", "127.0.0.1:" + ports.port(user.equals("mtls") ? 1 : 0));
        cluster.put("client", client);
        cluster.put("topic", Map.of("name", topic, "replication-factor", 1));
        cluster.put("probe", Map.of("lanes", 4));
        return cluster;
    }

    private Map<String, Object> scram(String user, String password) {
        return kafka.clientProperties(user, password);
    }

    private void describe(String password) throws Exception {
        try (Admin admin = Admin.create(scram("canary-scram", password))) {
            admin.describeCluster().nodes().get();
        }
    }

    private void setPassword(String user, String password) throws Exception {
        kafka.admin()
                .alterUserScramCredentials(
                        List.of(
                                new UserScramCredentialUpsertion(
                                        user,
                                        new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096),
                                        password)))
                .all()
                .get();
    }

    private void replace(Path file, String content) throws Exception {
        Path fresh = Files.writeString(directory.resolve("fresh"), content);
        Files.move(
                fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** The list is that of the Strimzi example: one home for it. */
    private void allow(String principal, String topic) throws Exception {
        Object user =
                new Yaml(new SafeConstructor(new LoaderOptions()))
                        .load(
                                Files.readString(
                                        ROOT.resolve("deploy/examples/strimzi/canary-user.yaml")));
        List<AclBinding> bindings = new ArrayList<>();
        for (Object acl : (List<?>) at(user, "spec", "authorization", "acls")) {
            boolean ofTopic = at(acl, "resource", "type").equals("topic");
            ResourcePattern resource =
                    ofTopic
                            ? new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL)
                            : new ResourcePattern(
                                    ResourceType.CLUSTER,
                                    Resource.CLUSTER_NAME,
                                    PatternType.LITERAL);
            for (Object operation : (List<?>) at(acl, "operations")) {
                bindings.add(
                        new AclBinding(
                                resource,
                                new AccessControlEntry(
                                        "User:" + principal,
                                        "*",
                                        operation(operation.toString()),
                                        AclPermissionType.ALLOW)));
            }
        }
        assertThat(bindings).isNotEmpty();
        kafka.admin().createAcls(bindings).all().get();
    }

    private static AclOperation operation(String camelCase) {
        return AclOperation.valueOf(
                camelCase.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT));
    }

    private static Object at(Object node, String... path) {
        Object here = node;
        for (String key : path) {
            here = ((Map<?, ?>) here).get(key);
        }
        return here;
    }
}
