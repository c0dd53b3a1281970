/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.exporter.telemetry.ClientLabel;
import io.phasewise.lab.security.CertificateAuthority;
import io.phasewise.lab.security.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigLoaderTest {

    @TempDir
    Path directory;

    @Test
    void theReferenceConfigurationHasNoFaultAndSaysTheDefaults() throws IOException {
        Path reference = Path.of("config/exporter.yml");
        assertThat(ConfigLoader.load(reference).faults).isEmpty();
        String text = Files.readString(reference);
        String prose = text.replaceAll("\\n *# *", " ");

        for (Key key : Key.ALL) {
            String name = key.name.replaceFirst(".*[.]", "");
            assertThat(prose).as(key.name).contains(key.help);
            assertThat(text)
                    .as(key.name)
                    .contains(key.byDefault.isEmpty() ? "# " : "\n  " + name + ": " + key.byDefault)
                    .contains(name + ": ");
        }
    }

    @Test
    void whatTheFileSaysHolds() throws IOException {
        ExporterConfig config = load("""
                        topics: {top: 3, interval: 5m}
                        http: {threads: 2, request-timeout: 1s}
                        jmx: {percentiles: true}
                        clients: {labels: 'group, client_id', client-id-pattern: '(.+)-[0-9]+'}
                        """);

        assertThat(config.faults).isEmpty();
        assertThat(config.number("topics.top")).isEqualTo(3);
        assertThat(config.duration("topics.interval")).isEqualTo(Duration.ofMinutes(5));
        assertThat(config.number("http.threads")).isEqualTo(2);
        assertThat(config.duration("http.request-timeout")).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.flag("jmx.percentiles")).isTrue();
        assertThat(config.clients().labels).containsExactly(ClientLabel.GROUP, ClientLabel.CLIENT_ID);
        assertThat(config.clients().clientId.pattern()).isEqualTo("(.+)-[0-9]+");
    }

    @Test
    void certificatesOfClientsAreWantedWhereThereIsAnAuthority() throws IOException {
        CertificateAuthority authority = new CertificateAuthority("test", Clock.systemUTC());
        TlsFiles.writeTrustPem(directory.resolve("ca.pem"), authority.certificate());
        TlsFiles.writeKeyPem(directory.resolve("own.pem"), authority.issueForThisHost("broker"));

        ExporterConfig config = load("http: {tls: {certificate: own.pem, key: own.pem, client-ca: ca.pem}}");

        assertThat(config.faults).isEmpty();
        assertThat(config.tls.orElseThrow().clientsMustHaveCertificates).isTrue();
        assertThat(config.files)
                .extracting(file -> file.getFileName().toString())
                .containsExactlyInAnyOrder("exporter.yml", "own.pem", "ca.pem");
    }

    @Test
    void allFaultsOfAFileAreFoundAtOnceEachWithItsLineAndKey() throws IOException {
        List<String> faults = faults("""
                        topics:
                          top: many
                          tpo: 3
                        http:
                          request-timeout: 5
                        timing: on
                        """);
        assertThat(faults).hasSize(4);
        assertThat(faults.get(0)).contains("exporter.yml:2: topics.top: 'many'");
        assertThat(faults.get(1)).contains("exporter.yml:3: topics.tpo: unknown key", "interval, log-size, top");
        assertThat(faults.get(2)).contains(":5: http.request-timeout: '5'");
        assertThat(faults.get(3)).contains(":6: timing: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'http: {threads: 0}'|allowed is a number from 1 to 64",
                "'topics: {log-size: yes}'|allowed is true or false",
                "'timing: {schema: 9}'|from 0 to 8",
                "'http: {tls: {certificate: absent.pem, key: absent.pem}}'|absent.pem is not there",
                "'http: {tls: {client-ca: ca.pem}}'|either certificate and key, or keystore",
                "'http: {basic-auth: {username: me}}'|password-hash: required",
                "'http: {basic-auth: {username: me, password-hash: secret}}'|not a password hash",
                "'jmx: {rules: absent.yml}'|absent.yml is not there",
                "'a: [1'|not YAML",
                "'[1]'|allowed are keys and values",
                "'topics: {top: 1, top: 2}'|twice",
                "'clients: {labels: \"client_id, host\"}'|some of client_id, group, software_name",
                "'clients: {labels: \"group, group\"}'|each once",
                "'clients: {client-id-pattern: \"(\"}'|client-id-pattern: '(': allowed is a regular",
                "'clients: {top: -1}'|from 0 to 10000",
                "'clients: {expiry: 1s}'|clients.expiry: '1s': allowed is 10s to 24h, in us, ms, s, m or h",
                "'clients: {expiry: 9999.9ms}'|10s to 24h",
                "'clients: {expiry: 24.1h}'|10s to 24h",
                "'clients: {expiry: 10}'|10s to 24h",
                "'clients: {max-push-bytes: 9000000}'|from 1024 to 8388608",
                "'clients: {max-memory-bytes: 1000}'|clients.max-memory-bytes: '1000': allowed is a"
                        + " number from 5242880 to 536870912",
                "'clients: {max-push-bytes: 8388608, max-memory-bytes: 33554432}'|from 41943040 to 536870912"
            })
    void aBadValueIsNamedWithWhatIsAllowed(String text, String message) throws IOException {
        assertThat(faults(text)).anySatisfy(fault -> assertThat(fault).contains(message));
    }

    @Test
    void aFaultInTheRuleFileIsNamedWithTheRule() throws IOException {
        Files.writeString(directory.resolve("rules.yml"), "rules:\n- pattern: 'a'\n- pattern: '('\n");

        assertThat(faults("jmx:\n  rules: rules.yml\n"))
                .singleElement()
                .asString()
                .contains("exporter.yml:2: jmx.rules: ", "rules.yml: line 3: ", "rule 2: pattern '('");
    }

    @Test
    void onlyFaultsOfTheEndpointPutAccessInDoubt() throws IOException {
        assertThat(load("topics: {top: x}").isAccessInDoubt()).isFalse();
        assertThat(load("http: {basic-auth: {username: me}}").isAccessInDoubt()).isTrue();
        assertThat(load("htpt: {}").isAccessInDoubt()).isFalse();
        assertThat(load("a: [1").isAccessInDoubt()).isTrue();
        assertThat(ConfigLoader.load(directory.resolve("absent.yml")).isAccessInDoubt())
                .isTrue();
    }

    private ExporterConfig load(String text) throws IOException {
        Path file = directory.resolve("exporter.yml");
        Files.writeString(file, text);
        return ConfigLoader.load(file);
    }

    private List<String> faults(String text) throws IOException {
        return load(text).faults.stream().map(ConfigFault::toString).toList();
    }
}
