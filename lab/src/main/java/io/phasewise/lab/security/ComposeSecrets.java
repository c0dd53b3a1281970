/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.security;

import io.phasewise.common.auth.PasswordHash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;

/**
 * Makes what is secret in docker-compose.secured.yml: an authority whose key is kept nowhere, a
 * certificate for each container, random passwords, and the files that hold them in the form that
 * each container reads. Each container has a directory of its own with what it needs to know; what
 * the containers do with it is said in that file. A password that a container holds in clear opens
 * nothing but itself and whom it has to ask: only Prometheus, which asks all, can read all.
 *
 * <p>Containers run as users of their own, so they must be able to read their files. That nobody
 * else on the host can is due to the directory above, which only its owner may enter.
 */
public final class ComposeSecrets {

    private static final Duration VALIDITY = Duration.ofDays(397);

    private static final List<String> BROKERS = List.of("kafka-1", "kafka-2", "kafka-3");

    /** Kafka's least for SCRAM-SHA-512 is 4096; the passwords cannot be guessed anyway. */
    private static final int SCRAM_ITERATIONS = 8192;

    private static final int BCRYPT_COST = 10;

    private final SecureRandom random = new SecureRandom();
    private final CertificateAuthority authority;

    /**
     * @param clock decides from when the certificates are valid
     */
    public ComposeSecrets(InstantSource clock) {
        authority = new CertificateAuthority("phasewise-compose", clock, VALIDITY);
    }

    /**
     * Writes everything.
     *
     * @param directory is made
     * @throws java.nio.file.FileAlreadyExistsException when it is there: secrets in use are not
     *     overwritten
     * @throws IOException when it cannot be written
     */
    public void write(Path directory) throws IOException {
        Files.createDirectory(directory);
        permit(directory, "rwx------");
        TlsFiles.writeTrustPem(directory.resolve("ca.pem"), authority.certificate());
        String scraper = password();
        String exporters = password();
        String admin = password();
        String canary = password();
        String grafana = password();
        String grafanaAdmin = password();
        String health = password();
        String notifier = password();
        String kafkaCanary = password();
        String kafkaAdmin = password();
        for (String broker : BROKERS) {
            container(directory, broker).with("exporter.yml", exporterConfiguration(exporters));
        }
        container(directory, "setup")
                .with("canary.scram", scram(kafkaCanary))
                .with("admin.scram", scram(kafkaAdmin))
                .with("setup.properties", certificateClient("/etc/phasewise/secrets"));
        // Kafka takes the whole content of the file for the password: no line may end.
        container(directory, "canary")
                .with("kafka-password", kafkaCanary)
                .with("http-password", canary)
                .with("exporter-password", exporters);
        container(directory, "prometheus")
                .with(
                        "web.yml",
                        web(Map.of("prometheus", scraper, "grafana", grafana, "admin", admin)))
                .with("password", scraper)
                .with("exporter-password", exporters)
                .with("canary-password", canary)
                .with("health.yml", asking("prometheus", "/etc/prometheus/secrets"));
        container(directory, "alertmanager")
                .with(
                        "web.yml",
                        web(Map.of("prometheus", scraper, "health", health, "admin", admin)))
                .with("password", health)
                .with("health.yml", asking("health", "/etc/alertmanager/secrets"))
                .with("receiver.url", "https://alertmanager:" + notifier + "@receiver:9095/\n");
        container(directory, "receiver").with("password", notifier);
        container(directory, "grafana")
                .with("admin-password", grafanaAdmin)
                .with("prometheus-password", grafana)
                // Encrypts what Grafana keeps; its default is known to everybody.
                .with("secret-key", password());
        container(directory, "node-exporter").with("web.yml", web(Map.of("prometheus", scraper)));
        owned(directory.resolve("admin.properties"), scramClient(directory, kafkaAdmin));
        owned(
                directory.resolve("logins.txt"),
                logins(grafanaAdmin, admin, canary, exporters, notifier));
    }

    /** What one container can read. */
    private record Container(Path own) {

        Container with(String name, String text) throws IOException {
            Path file = Files.writeString(own.resolve(name), text);
            permit(file, "rw-r--r--");
            return this;
        }
    }

    private Container container(Path directory, String name) throws IOException {
        Path own = Files.createDirectory(directory.resolve(name));
        permit(own, "rwxr-xr-x");
        TlsFiles.writeTrustPem(own.resolve("ca.pem"), authority.certificate());
        TlsFiles.writeKeyPem(own.resolve("server.pem"), authority.issue(name, List.of(name)));
        permit(own.resolve("ca.pem"), "rw-r--r--");
        permit(own.resolve("server.pem"), "rw-r--r--");
        return new Container(own);
    }

    private static void owned(Path file, String text) throws IOException {
        Files.writeString(file, text);
        permit(file, "rw-------");
    }

    private static void permit(Path file, String permissions) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    /** Of 144 random bits, in characters that need no quoting anywhere. */
    private String password() {
        byte[] bits = new byte[18];
        random.nextBytes(bits);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
    }

    private String exporterConfiguration(String password) {
        return """
        http:
          basic-auth:
            username: prometheus
            password-hash: %s
          tls:
            certificate: server.pem
            key: server.pem
        """
                .formatted(PasswordHash.of(password.toCharArray(), random));
    }

    /** As kafka-configs takes it from a file: without the brackets of its command line. */
    private static String scram(String password) {
        return "SCRAM-SHA-512=iterations=%d,password=%s\n".formatted(SCRAM_ITERATIONS, password);
    }

    private static String certificateClient(String secrets) {
        return """
        security.protocol=SSL
        ssl.truststore.type=PEM
        ssl.truststore.location=%1$s/ca.pem
        ssl.keystore.type=PEM
        ssl.keystore.location=%1$s/server.pem
        """
                .formatted(secrets);
    }

    private static String scramClient(Path directory, String password) {
        return """
        security.protocol=SASL_SSL
        ssl.truststore.type=PEM
        ssl.truststore.location=%s
        sasl.mechanism=SCRAM-SHA-512
        sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="admin" password="%s";
        """
                .formatted(directory.resolve("ca.pem").toAbsolutePath().normalize(), password);
    }

    /** What Prometheus and its like call web.config.file. */
    private String web(Map<String, String> passwords) {
        StringBuilder text =
                new StringBuilder(
                        """
                        tls_server_config:
                          cert_file: server.pem
                          key_file: server.pem
                        basic_auth_users:
                        """);
        new TreeMap<>(passwords)
                .forEach(
                        (user, password) -> {
                            byte[] salt = new byte[16];
                            random.nextBytes(salt);
                            String hash =
                                    OpenBSDBCrypt.generate(
                                            password.getBytes(StandardCharsets.UTF_8),
                                            salt,
                                            BCRYPT_COST);
                            text.append("  %s: %s\n".formatted(user, hash));
                        });
        return text.toString();
    }

    /** What promtool and amtool call http.config.file. */
    private static String asking(String user, String secrets) {
        return """
        basic_auth:
          username: %1$s
          password_file: %2$s/password
        tls_config:
          ca_file: %2$s/ca.pem
        """
                .formatted(user, secrets);
    }

    private static String logins(
            String grafanaAdmin, String admin, String canary, String exporters, String notifier) {
        return """
        https://127.0.0.1:3000  Grafana       admin         %1$s
        https://127.0.0.1:9090  Prometheus    admin         %2$s
        https://127.0.0.1:9093  Alertmanager  admin         %2$s
        https://127.0.0.1:9470  canary        prometheus    %3$s
        https://127.0.0.1:7071  exporter      prometheus    %4$s
        https://127.0.0.1:9095  receiver      alertmanager  %5$s
        127.0.0.1:19092         Kafka         admin         see admin.properties
        """
                .formatted(grafanaAdmin, admin, canary, exporters, notifier);
    }
}
