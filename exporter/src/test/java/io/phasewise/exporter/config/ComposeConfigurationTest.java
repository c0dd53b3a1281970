/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.auth.BasicAuth;
import io.phasewise.lab.security.ComposeSecrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComposeConfigurationTest {

    @Test
    void whatIsMadeForTheContainersIsSoundAndLetsPrometheusIn(@TempDir Path directory) throws Exception {
        Path secrets = directory.resolve("secured");
        new ComposeSecrets(InstantSource.system()).write(secrets);

        ExporterConfig config = ConfigLoader.load(secrets.resolve("kafka-2/exporter.yml"));

        assertThat(config.faults).isEmpty();
        assertThat(config.tls).isPresent();
        String password = Files.readString(secrets.resolve("prometheus/exporter-password"));
        assertThat(config.basicAuth.orElseThrow().check("here", "prometheus", password))
                .isEqualTo(BasicAuth.Verdict.ACCEPTED);
    }
}
