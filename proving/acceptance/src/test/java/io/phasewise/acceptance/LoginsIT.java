/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.lab.measure.Scrape.label;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.lab.junit.BrokerLogs;
import io.phasewise.lab.junit.ScrapedPage;
import io.phasewise.lab.junit.TokenServer;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.ListenerSecurity;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.Programs;
import io.phasewise.lab.security.CertificateAuthority;
import io.phasewise.lab.security.TlsFiles;
import io.phasewise.lab.stack.CanaryJvm;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three brokers with the agent that ask everybody who they are, by SCRAM-SHA-256, SCRAM-SHA-512,
 * certificate (mTLS) and token (OAUTHBEARER): the canary measures with the rights that measuring
 * needs and no others, check and commands work with the same properties, a wrong credential is
 * refused in words and counted, and no secret is in anything that is said. Renewal of credentials,
 * and users who may do less: SecuredClusterIT, MissingRightsIT and RefusedLoginIT of the canary.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LoginsIT {

    private static final int BROKERS = 3;
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final String TOKENS_ALLOWED = "-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=";
    private static final String SCRAM_MODULE = "org.apache.kafka.common.security.scram.ScramLoginModule required ";
    private static final String TOKEN_MODULE =
            "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required ";
    private static final String WRONG = "wrong-";

    /** Settings of a topic that the canary may not alter, as it would have them: nothing is amiss then. */
    private static final Map<String, String> WANTED = Map.of(
            "message.timestamp.type", "LogAppendTime",
            "retention.ms", "600000",
            "segment.ms", "600000",
            "segment.bytes", "67108864");

    private static final String KEY = "PRIVATE KEY";

    /** How the tokens begin. */
    private static final String TOKEN = "eyJhbGci";

    /** In the lines in which a broker of Kafka 4.4 writes a token that it refuses: docs/how-to/security.md. */
    private static final String REFUSED = "JWT rejected due to invalid signature";

    /** By file of the directory of secrets. */
    private static final Map<String, String> SECRETS = new LinkedHashMap<>(Map.of(
            "scram256", "secret-of-scram256",
            "scram512", "secret-of-scram512",
            "oauth", "secret-of-oauth",
            "admin", "secret-of-admin",
            "guessed", "a-guessed-secret"));

    /**
     * A way in.
     *
     * @param name of the cluster in the canary's configuration
     * @param principal as the brokers have it
     * @param client properties of a client
     * @param wrong what is other in those of a client that is to be refused
     * @param refusal words of the canary's problem for it
     */
    private record Login(
            String name, String principal, Map<String, String> client, Map<String, String> wrong, String refusal) {

        Map<String, String> wrongClient() {
            Map<String, String> all = new LinkedHashMap<>(client);
            all.putAll(wrong);
            return all;
        }

        String topic() {
            return "phasewise-canary-" + name;
        }

        String unwritable() {
            return topic() + "-unwritable";
        }
    }

    private final OpenResources parts = new OpenResources();
    private Path directory;
    private Path secrets;
    private PortLease certificatePorts;
    private TokenServer tokens;
    private TokenServer otherTokens;
    private BrokersAndCanary all;
    private KafkaCluster kafka;
    private List<Login> logins;

    /** What commands have said. */
    private final StringBuilder said = new StringBuilder();

    @BeforeAll
    void start(@TempDir Path shared) throws Exception {
        directory = shared;
        secrets = Files.createDirectory(directory.resolve("secrets"));
        for (Map.Entry<String, String> secret : SECRETS.entrySet()) {
            Files.writeString(secrets.resolve(secret.getKey()), secret.getValue());
        }
        certificatePorts = parts.keep(PortLease.take(BROKERS));
        tokens = parts.keep(new TokenServer("canary-oauth", SECRETS.get("oauth"), Duration.ofMinutes(5)));
        otherTokens = parts.keep(new TokenServer("canary-oauth", SECRETS.get("oauth"), Duration.ofMinutes(5)));
        certificates();
        all = parts.keep(new BrokersAndCanary(directory, BROKERS));
        ListenerSecurity security = new ListenerSecurity.SaslSsl(
                "admin", SECRETS.get("admin"), Map.of("canary-scram512", SECRETS.get("scram512")), true);
        kafka = all.start(
                description -> description.security(security).jvmOption(TOKENS_ALLOWED + tokens.keysUrl()),
                this::otherWaysIn);
        logins = logins();
        BrokerLogs.withFailure(kafka, this::letIn);
    }

    @AfterAll
    void stop() throws Exception {
        parts.close();
    }

    private void certificates() throws IOException {
        CertificateAuthority clients = new CertificateAuthority("clients", InstantSource.system());
        TlsFiles.writeTrustPem(directory.resolve("clients-ca.pem"), clients.certificate());
        TlsFiles.writeKeyPem(directory.resolve("canary.pem"), clients.issueForThisHost("canary-mtls"));
        CertificateAuthority strangers = new CertificateAuthority("strangers", InstantSource.system());
        TlsFiles.writeKeyPem(directory.resolve("stranger.pem"), strangers.issueForThisHost("canary-mtls"));
    }

    private void otherWaysIn(KafkaBroker broker, Properties properties) {
        String certificates = ",MTLS://127.0.0.1:" + certificatePorts.port(broker.id() - 1);
        for (String key : List.of("listeners", "advertised.listeners")) {
            properties.setProperty(key, properties.getProperty(key) + certificates);
        }
        properties.setProperty("listener.security.protocol.map", "CLIENT:SASL_SSL,CONTROLLER:SSL,MTLS:SSL");
        properties.setProperty("listener.name.mtls.ssl.client.auth", "required");
        properties.setProperty("listener.name.mtls.ssl.truststore.type", "PEM");
        properties.setProperty("listener.name.mtls.ssl.truststore.location", "" + directory.resolve("clients-ca.pem"));
        properties.setProperty("sasl.enabled.mechanisms", "SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER");
        properties.setProperty("listener.name.client.scram-sha-256.sasl.jaas.config", SCRAM_MODULE.strip() + ";");
        properties.setProperty("listener.name.client.oauthbearer.sasl.jaas.config", TOKEN_MODULE.strip() + ";");
        properties.setProperty(
                "listener.name.client.oauthbearer.sasl.server.callback.handler.class",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler");
        properties.setProperty("sasl.oauthbearer.jwks.endpoint.url", tokens.keysUrl());
        properties.setProperty("sasl.oauthbearer.expected.audience", "kafka");
        properties.setProperty("sasl.oauthbearer.expected.issuer", tokens.issuer());
    }

    private List<Login> logins() {
        String byCertificate = "127.0.0.1:" + certificatePorts.port(0);
        Map<String, String> oauth = new LinkedHashMap<>(sasl("OAUTHBEARER", token("oauth")));
        oauth.put("sasl.oauthbearer.token.endpoint.url", tokens.tokenUrl());
        oauth.put(
                "sasl.login.callback.handler.class",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler");
        Map<String, String> mtls = client(byCertificate);
        mtls.put("security.protocol", "SSL");
        mtls.put("ssl.keystore.type", "PEM");
        mtls.put("ssl.keystore.location", "" + directory.resolve("canary.pem"));
        return List.of(
                scram(256),
                scram(512),
                new Login(
                        "mtls",
                        "CN=canary-mtls",
                        mtls,
                        Map.of("ssl.keystore.location", "" + directory.resolve("stranger.pem")),
                        "the TLS handshake fails"),
                new Login(
                        "oauth",
                        "canary-oauth",
                        oauth,
                        Map.of("sasl.oauthbearer.token.endpoint.url", otherTokens.tokenUrl()),
                        "the cluster refuses the token"));
    }

    private Login scram(int bits) {
        String name = "scram" + bits;
        String user = "canary-" + name;
        return new Login(
                name,
                user,
                sasl("SCRAM-SHA-" + bits, password(user, name)),
                Map.of("sasl.jaas.config", password(user, "guessed")),
                "the cluster refuses the user name or password");
    }

    private Map<String, String> client(String bootstrap) {
        Map<String, String> client = new LinkedHashMap<>();
        client.put("bootstrap.servers", bootstrap);
        client.put("ssl.truststore.type", "PEM");
        client.put("ssl.truststore.location", "" + all.home().resolve("tls/ca.pem"));
        client.put("config.providers", "dir");
        client.put("config.providers.dir.class", "org.apache.kafka.common.config.provider.DirectoryConfigProvider");
        return client;
    }

    private Map<String, String> sasl(String mechanism, String module) {
        Map<String, String> client = client(kafka.bootstrap());
        client.put("security.protocol", "SASL_SSL");
        client.put("sasl.mechanism", mechanism);
        client.put("sasl.jaas.config", module);
        return client;
    }

    private String password(String user, String secret) {
        return SCRAM_MODULE + "username=\"%s\" password=\"${dir:%s:%s}\";".formatted(user, secrets, secret);
    }

    private String token(String secret) {
        return TOKEN_MODULE + "clientId=\"canary-oauth\" clientSecret=\"${dir:%s:%s}\";".formatted(secrets, secret);
    }

    /** Each has a topic that somebody made for it, and on it the four rights that measuring needs. */
    private void letIn() throws Exception {
        kafka.admin()
                .alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                        "canary-scram256",
                        new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096),
                        SECRETS.get("scram256"))))
                .all()
                .get(30, TimeUnit.SECONDS);
        for (Login login : logins) {
            for (String topic : List.of(login.topic(), login.unwritable())) {
                kafka.createTopic(topic, BROKERS, BROKERS, WANTED);
            }
            allow(login, ResourceType.TOPIC, login.topic(), "DESCRIBE", "DESCRIBE_CONFIGS", "READ", "WRITE");
            allow(login, ResourceType.TOPIC, login.unwritable(), "DESCRIBE", "DESCRIBE_CONFIGS", "READ");
        }
        StringBuilder clusters = new StringBuilder();
        for (Login login : logins) {
            clusters.append(cluster(login.name(), login.client(), login.topic()));
            clusters.append(cluster(WRONG + login.name(), login.wrongClient(), login.topic()));
        }
        List<String> options = new ArrayList<>(CanaryJvm.options());
        // Eight clusters, by docs/reference/sizing.md: with the heap for one it ended.
        options.addAll(List.of("-Xms576m", "-Xmx576m"));
        options.add(TOKENS_ALLOWED + tokens.tokenUrl() + "," + otherTokens.tokenUrl());
        all.startCanary(Programs.java(), options, clusters.toString());
    }

    private void allow(Login login, ResourceType type, String name, String... operations) throws Exception {
        ResourcePattern on = new ResourcePattern(type, name, PatternType.LITERAL);
        List<AclBinding> bindings = new ArrayList<>();
        for (String operation : operations) {
            bindings.add(new AclBinding(
                    on,
                    new AccessControlEntry(
                            "User:" + login.principal(),
                            "*",
                            AclOperation.valueOf(operation),
                            AclPermissionType.ALLOW)));
        }
        kafka.admin().createAcls(bindings).all().get(30, TimeUnit.SECONDS);
    }

    /** A cluster of the canary's configuration, where {@code ${}} is for the environment. */
    private String cluster(String name, Map<String, String> client, String topic) throws IOException {
        Map<String, String> properties = new LinkedHashMap<>(client);
        String bootstrap = properties.remove("bootstrap.servers");
        properties.replaceAll((key, value) -> value.replace("${", "\\${"));
        return "%s: {bootstrap-servers: '%s', preset: read-only, exporters: %s, client: %s, topic: {name: %s, adopt: true}}%n"
                .formatted(name, bootstrap, all.exporters(), new ObjectMapper().writeValueAsString(properties), topic);
    }

    @Order(1)
    @Test
    void eachMeasuresWithTheFourRightsByWhatTheBrokersReport() throws Exception {
        all.phasesAreThoseOfTheBrokers(logins.size());
        all.agentsAreAtWork("4.4");
        for (Login login : logins) {
            BrokersAndCanary.await(
                    "nothing is amiss with " + login.name(),
                    () -> all.status(login.name()).get("problems").isEmpty(),
                    () -> all.status(login.name()).get("problems").toString());
            assertThat(all.status(login.name()).get("state").asText()).isEqualTo("running");
        }
        noSecretIsShown();
    }

    @Order(2)
    @Test
    void whoShowsAWrongCredentialIsRefusedInWordsAndCounted() throws Exception {
        for (Login login : logins) {
            String name = WRONG + login.name();
            BrokersAndCanary.await(
                    name + " is refused",
                    () -> all.status(name).get("problems").toString().contains(login.refusal()));
            JsonNode problems = all.status(name).get("problems");
            assertThat(problems).as(name).hasSize(1);
            assertThat(problems.toString()).doesNotContain(".java:", "Exception: null");
            ScrapedPage now = all.canary();
            String its = label("cluster", name);
            assertThat(now.sum("kafka_canary_errors_total", its)).as(name).isPositive();
            assertThat(now.sum("kafka_canary_probes_total", its)).as(name).isZero();
        }
        noSecretIsShown();
    }

    @Order(3)
    @Test
    void theCheckSaysWhatIsMissing() throws Exception {
        for (Login login : logins) {
            assertThat(check(login.client(), login.topic()).exitCode())
                    .as(said.toString())
                    .isZero();
            Command.Result unwritable = check(login.client(), login.unwritable());
            assertThat(unwritable.output()).contains("may not  Write on topic " + login.unwritable());
            assertThat(unwritable.exitCode()).isEqualTo(1);
            Command.Result wrong = check(login.wrongClient(), login.topic());
            assertThat(wrong.output()).contains("not asked: ", login.refusal());
            assertThat(wrong.exitCode()).isEqualTo(1);
        }
        noSecretIsShown();
    }

    private Command.Result check(Map<String, String> client, String topic) throws Exception {
        Path file = directory.resolve("checked.yml");
        Files.writeString(file, "canary:\n  clusters:\n    " + cluster("checked", client, topic));
        return run(Command.of(Programs.java(), "-Xmx128m", "-XX:TieredStopAtLevel=1", tokensAllowed(), "-jar")
                .and(BrokersAndCanary.CANARY, "--check-config", file, "--connect"));
    }

    private String tokensAllowed() {
        return TOKENS_ALLOWED + tokens.tokenUrl() + "," + otherTokens.tokenUrl();
    }

    /** With rights that the commands' page names; what they need is more than measuring does. */
    @Order(4)
    @Test
    void commandsTakeTheSameProperties() throws Exception {
        for (Login login : logins) {
            assertThat(demote(login.client()).output()).doesNotContain("Would move");
            allow(login, ResourceType.TOPIC, "*", "DESCRIBE", "DESCRIBE_CONFIGS");
            allow(login, ResourceType.CLUSTER, Resource.CLUSTER_NAME, "DESCRIBE");
            Command.Result shown = demote(login.client());
            assertThat(shown.output()).contains("Would move");
            assertThat(shown.exitCode()).as(shown.output()).isZero();
            Command.Result wrong = demote(login.wrongClient());
            assertThat(wrong.exitCode()).as(wrong.output()).isEqualTo(1);
            assertThat(wrong.output()).containsIgnoringCase("authenti").doesNotContain("\tat ");
        }
        noSecretIsShown();
    }

    private Command.Result demote(Map<String, String> client) throws IOException {
        Path file = directory.resolve("command.properties");
        Properties properties = new Properties();
        properties.putAll(client);
        try (Writer out = Files.newBufferedWriter(file)) {
            properties.store(out, null);
        }
        return run(Command.phasewise("demote", 1, "--keep", "none", "--command-config", file)
                .with("JAVA_TOOL_OPTIONS", tokensAllowed())
                .in(directory));
    }

    private Command.Result run(Command command) {
        Command.Result result = command.run(BOUND);
        said.append(result.output()).append('\n');
        return result;
    }

    private void noSecretIsShown() throws IOException {
        String ours = all.saidAndShown() + said;
        String brokers = all.brokerLogs();
        assertThat(SECRETS.values().stream()
                        .filter(secret -> ours.contains(secret) || brokers.contains(secret))
                        .collect(Collectors.toList()))
                .isEmpty();
        assertThat(ours).doesNotContain(KEY, TOKEN);
        assertThat(brokers).doesNotContain(KEY);
        assertThat(brokers.lines().filter(line -> line.contains(TOKEN) && !line.contains(REFUSED)))
                .as("tokens that Kafka's brokers have not refused")
                .isEmpty();
    }
}
