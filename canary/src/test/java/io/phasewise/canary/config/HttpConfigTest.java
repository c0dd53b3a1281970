/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.auth.BasicAuth;
import io.phasewise.lab.security.CertificateAuthority;
import io.phasewise.lab.security.ComposeSecrets;
import io.phasewise.lab.security.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class HttpConfigTest {
    @TempDir
    Path directory;

    @BeforeEach
    void write() throws IOException {
        CertificateAuthority authority = new CertificateAuthority("test", Clock.systemUTC());
        TlsFiles.writeTrustPem(path("ca.pem"), authority.certificate());
        TlsFiles.writeKeyPem(path("one.pem"), authority.issueForThisHost("one"));
        TlsFiles.writeKeyPem(path("other.pem"), authority.issueForThisHost("other"));
        Files.writeString(path("password"), "hush\n");
        Files.writeString(path("empty"), "\n");
    }

    @Test
    void readsTlsAndUser() throws Exception {
        ConfigLoader.Loaded loaded = load("""
                        tls: {certificate: DIR/one.pem, key: DIR/one.pem, client-ca: DIR/ca.pem}
                        basic-auth: {username: scraper, password-file: DIR/password}
                        """);
        HttpConfig http = loaded.config().http();

        assertThat(http.scheme()).isEqualTo("https");
        assertThat(http.tls().orElseThrow().source().files())
                .containsExactlyInAnyOrder(path("one.pem"), path("ca.pem"));
        assertThat(http.basicAuth().orElseThrow().source().read().check("here", "scraper", "hush"))
                .isEqualTo(BasicAuth.Verdict.ACCEPTED);
        assertThat(loaded.toString()).doesNotContain("hush", "PRIVATE");
        assertThat(loaded.warnings()).isEmpty();
        assertThat(load("basic-auth: {username: scraper, password-file: DIR/password}")
                        .warnings())
                .containsExactly("canary.http.basic-auth: without http.tls the password crosses the network in clear");
    }

    @Test
    void theConfigurationOfTheSecuredContainerIsSound() throws Exception {
        Path secrets = path("secured");
        new ComposeSecrets(Clock.systemUTC()).write(secrets);
        String yaml = Files.readString(Path.of("config", "compose-secured.yml"))
                .replace("/etc/phasewise/secrets", secrets.resolve("canary").toString());

        ConfigLoader.Loaded loaded = new ConfigLoader(Map.of()).load(yaml, "compose-secured.yml");

        assertThat(loaded.warnings()).isEmpty();
        assertThat(loaded.config().http().scheme()).isEqualTo("https");
        assertThat(loaded.config().http().basicAuth()).isPresent();
        assertThat(loaded.config().clusters().get(0).topic().manage())
                .isEqualTo(new ManageConfig(false, false, false, false, false));
    }

    @Test
    void saysAllThatIsMissing() {
        assertThat(faults("tls: {client-ca: DIR/ca.pem}\nbasic-auth: {username: scraper}"))
                .containsExactly(
                        "canary.http.basic-auth.password-file: is missing; required with the keys"
                                + " beside it: a file with the password",
                        "canary.http.tls.certificate: is missing; required with the keys beside it:"
                                + " a PEM file with the certificates",
                        "canary.http.tls.key: is missing; required with the keys beside it: a PEM"
                                + " file with the key, PKCS 8, no password");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "refused-http.csv", delimiter = '|', quoteCharacter = '~')
    void refusesWhatCannotBeReadOrDoesNotFit(String http, String fault) {
        assertThat(faults(http)).containsExactly("canary.http." + fault);
    }

    private Path path(String name) {
        return directory.resolve(name);
    }

    private ConfigLoader.Loaded load(String http) throws InvalidConfigException {
        return Configurations.load(yaml(http));
    }

    private List<String> faults(String http) {
        return Configurations.faults(yaml(http)).stream()
                .map(fault -> fault.replace(directory.toString(), "DIR"))
                .toList();
    }

    private String yaml(String http) {
        return "canary:\n  clusters: {prod: {bootstrap-servers: \"b:1\"}}\n  http:\n"
                + http.replace("DIR", directory.toString()).indent(4);
    }
}
