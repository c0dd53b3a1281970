/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.common.prometheus.Access;
import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.lab.junit.TestServers;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.process.Programs;
import io.phasewise.lab.security.CertificateAuthority;
import io.phasewise.lab.security.TlsFiles;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command on servers as they stand in companies: locked, or of another make. One Prometheus
 * behind TLS and a password serves all tests but VictoriaMetrics'.
 */
class SourcesIT {

    private static final String USER = "reviewer";
    private static final String PASSWORD = "swordfish";

    /** Of the password, as Prometheus wants it: bcrypt, with the least work there is. */
    private static final String HASH = "$2b$04$cOyGI/XtZQFwC.xv7yGlmOCnHpuK3N1lIf/IPhJoURJuIrVOVDHcS";

    private static final String LOCK = ("basic_auth_users:\n  " + USER + ": " + HASH + "\n")
            + "tls_server_config:\n  cert_file: server.pem\n  key_file: server.pem\n";

    @TempDir
    private static Path home;

    @AutoClose
    private static TestPrometheus prometheus;

    private static KnownCluster cluster;
    private static HttpClient trusting;

    @BeforeAll
    static void fillALockedPrometheus() throws Exception {
        CertificateAuthority authority = new CertificateAuthority("a company's own", InstantSource.system());
        TlsFiles.writeTrustPem(home.resolve("ca.pem"), authority.certificate());
        TlsFiles.writeKeyPem(home.resolve("server.pem"), authority.issueForThisHost("prometheus"));
        writeKeyStore(home.resolve("reviewer.p12"), authority.issueForThisHost("reviewer"));
        Files.writeString(home.resolve("password"), PASSWORD + "\n");
        Files.writeString(home.resolve("web.yml"), LOCK);
        prometheus = TestPrometheus.start(home, "--web.config.file=" + home.resolve("web.yml"));
        trusting = Access.client(Optional.of(home.resolve("ca.pem")), Optional.empty(), "");
        PrometheusClient client = new PrometheusClient(new Access(url(), entry(), Duration.ofSeconds(5)), trusting);
        Await.that("Prometheus answers", Duration.ofSeconds(60))
                .needing(prometheus.process())
                .until(() -> !client.query("vector(1)").isEmpty(), () -> "it has no vector");
        cluster = aDay();
        cluster.write(new RemoteWrite(trusting, url(), entry()));
    }

    private static void writeKeyStore(Path file, CertificateAuthority.Issued issued) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "key",
                issued.keys().getPrivate(),
                PASSWORD.toCharArray(),
                issued.chain().toArray(X509Certificate[]::new));
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD.toCharArray());
        }
    }

    @Test
    void aPrivateAuthorityAndAPasswordLetIn(@TempDir Path out) throws Exception {
        assertTrue(report(out, url(), KnownCluster.NAME, key()), "RAW_NATIVE", 0.01);
    }

    @Test
    void aWrongPasswordAndAnUnknownAuthorityAreNamed(@TempDir Path out) throws Exception {
        Files.writeString(home.resolve("wrong"), "rosebud");
        List<String> wrong = new ArrayList<>(key());
        wrong.set(2, "--password-file=" + home.resolve("wrong"));
        Launched refused = report(out, url(), KnownCluster.NAME, wrong);
        refused.assertFailed("answers 401: access refused; see --user");
        assertThat(refused.output()).doesNotContain("rosebud");
        report(out, url(), KnownCluster.NAME, key().subList(1, 3))
                .assertFailed("does not answer: its certificate is not signed by a trusted authority; see --ca-file");
    }

    @Test
    void aClientCertificateLetsInAndClassicHistogramsAreRead(@TempDir Path out) throws Exception {
        // Prometheus reads this file again for each connection.
        Files.writeString(
                home.resolve("web.yml"),
                LOCK + "  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: ca.pem\n");
        try {
            report(out, url(), KnownCluster.CLASSIC, key()).assertFailed("see --ca-file and --client-certificate");
            List<String> shown = new ArrayList<>(key());
            shown.add("--client-certificate=" + home.resolve("reviewer.p12"));
            shown.add("--client-password-file=" + home.resolve("password"));
            assertTrue(report(out, url(), KnownCluster.CLASSIC, shown), "RAW_CLASSIC", 0.1);
        } finally {
            Files.writeString(home.resolve("web.yml"), LOCK);
        }
    }

    @Tag("long")
    @Test
    void victoriaMetricsIsReadByItsClassicHistograms(@TempDir Path out) throws Exception {
        Optional<Path> program = Programs.find("victoria-metrics", System.getenv("PATH"));
        assumeTrue(program.isPresent(), "no victoria-metrics in PATH (Debian: apt-get install victoria-metrics)");
        URI server = ServerSpecs.url(prometheus.ports().port(1));
        List<String> command = new ArrayList<>(List.of(program.get().toString()));
        command.add("-storageDataPath=" + home.resolve("victoria"));
        command.add("-httpListenAddr=127.0.0.1:" + server.getPort());
        command.add("-memory.allowedBytes=256MB");
        Path log = home.resolve("victoria.log");
        ProcessSpec spec = new ProcessSpec("victoria-metrics", command, Map.of(), home, log);
        try (ManagedProcess victoria = ManagedProcess.start(spec)) {
            HttpClient http = HttpClient.newHttpClient();
            TestServers.awaitReady(victoria, server.resolve("/health"));
            KnownCluster same = new KnownCluster(cluster.start(), 1, true);
            same.write(new RemoteWrite(http, server, Map.of()));
            // What was written is found after a second or two, unless it is asked for.
            TestServers.awaitReady(victoria, server.resolve("/internal/force_flush"));
            report(out, server, KnownCluster.NAME, List.of())
                    .assertRefused("no latency histograms of cluster 'orders'", "VictoriaMetrics does not keep them");
            assertTrue(report(out, server, KnownCluster.CLASSIC, List.of()), "RAW_CLASSIC", 0.1);
        }
    }

    /** What the review says of percentiles that many probes tell. */
    private static void assertTrue(Launched ended, String form, double error) throws IOException {
        JsonNode latency = ended.review().path("latency");
        assertThat(latency.path("form").asText()).isEqualTo(form);
        cluster.assertPercentiles(latency, 0.99, error);
        double probes = 3 * 60.0 * Duration.ofDays(1).dividedBy(KnownCluster.STEP);
        assertThat(latency.at("/objective/probes").asDouble()).isCloseTo(probes, within(0.05 * probes));
        assertThat(latency.at("/dominating/0").asText()).isEqualTo("COMMIT");
        assertThat(latency.at("/leaders/0/id").asText()).isEqualTo("3");
    }

    private static Launched report(Path out, URI server, String name, List<String> key)
            throws IOException, InterruptedException {
        String[] options = key.toArray(String[]::new);
        return Launched.report(out, server, "--cluster=" + name, cluster.start(), cluster.end(), options);
    }

    private static List<String> key() {
        return List.of(
                "--ca-file=" + home.resolve("ca.pem"), "--user=" + USER, "--password-file=" + home.resolve("password"));
    }

    private static KnownCluster aDay() {
        return new KnownCluster(Instant.now().truncatedTo(ChronoUnit.DAYS).minus(Duration.ofDays(1)), 1, true);
    }

    private static URI url() {
        return URI.create("https://127.0.0.1:" + prometheus.ports().port(0));
    }

    private static Map<String, String> entry() {
        return Map.of("Authorization", Access.basic(USER, PASSWORD));
    }
}
