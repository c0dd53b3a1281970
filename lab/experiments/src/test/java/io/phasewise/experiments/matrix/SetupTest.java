/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SetupTest {
    @Test
    void whatClientsKeepSecretIsNotTold() {
        Map<String, Object> configuration =
                Map.of(
                        "bootstrap-servers",
                        "127.0.0.1:1",
                        "client",
                        Map.of(
                                "security.protocol", "SASL_SSL",
                                "sasl.jaas.config", "password=secret",
                                "ssl.truststore.certificates", "secret"));

        assertThat(Setup.withoutSecrets(configuration))
                .isEqualTo(
                        Map.of(
                                "bootstrap-servers",
                                "127.0.0.1:1",
                                "client",
                                Map.of(
                                        "security.protocol", "SASL_SSL",
                                        "sasl.jaas.config", "not told",
                                        "ssl.truststore.certificates", "not told")));
    }

    @Test
    void theBuildTheClientsAndTheLoadAreRecorded() throws Exception {
        Setup setup = Setup.atStart(Path.of("/")).atEnd();

        assertThat(setup.circumstances())
                .containsEntry("Phasewise", "not a checkout")
                .containsKeys("clients", "load average at the start", "load average at the end");
        assertThat(setup.line()).startsWith("Phasewise: not a checkout; clients: kafka-clients ");
    }

    @Test
    void everySceneHasItsConfiguration() {
        Setup one = new Setup(Map.of("brokers", "Kafka 4.4"), Map.of("canary", 1)).under("plain");
        Setup other = new Setup(Map.of("brokers", "Kafka 4.4"), Map.of("canary", 2)).under("clock");

        assertThat(one.and(other).configuration())
                .isEqualTo(Map.of("plain", Map.of("canary", 1), "clock", Map.of("canary", 2)));
        assertThat(one.and(other).line()).isEqualTo("brokers: Kafka 4.4");
        assertThat(Setup.UNKNOWN.line()).isEmpty();
    }
}
