/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.phasewise.common.cli.MissingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where Grafana is looked for. */
class GrafanaFinderTest {

    @TempDir
    Path directory;

    @Test
    void isTakenFromGrafanaHome() throws Exception {
        unpack("13.0.1");
        assertThat(find(Map.of("GRAFANA_HOME", directory.toString())))
                .isEqualTo(new GrafanaInstallation(directory.resolve("bin/grafana"), directory, new Version(13, 0, 1)));
    }

    @Test
    void isTakenFromPathWithTheHomeItLiesIn() throws Exception {
        unpack("13.0.1");
        assertThat(find(Map.of("PATH", directory.resolve("bin").toString())).home())
                .isEqualTo(directory.toRealPath());
    }

    @Test
    void isMissingWhenTooOld() throws Exception {
        unpack("8.5.0");
        assertThat(missing(Map.of("GRAFANA_HOME", directory.toString())))
                .isEqualTo(directory.resolve("bin/grafana")
                        + " is 8.5.0, older than 9.4.0; Install Grafana 9.4.0 or newer, or"
                        + " unpack it and set GRAFANA_HOME to where it is.");
    }

    @Test
    void isMissingWhenNowhere() throws Exception {
        assertThat(missing(Map.of("PATH", directory.toString()))).startsWith("no grafana on PATH and no GRAFANA_HOME");
        assertThat(missing(Map.of("GRAFANA_HOME", "/nowhere")))
                .startsWith("GRAFANA_HOME is /nowhere, which has no bin/grafana");
    }

    private static String missing(Map<String, String> environment) {
        return catchThrowableOfType(MissingException.class, () -> find(environment))
                .getMessage();
    }

    private static GrafanaInstallation find(Map<String, String> environment) throws InterruptedException {
        return new GrafanaFinder(environment).find();
    }

    private void unpack(String version) throws IOException {
        Files.createDirectories(directory.resolve("conf"));
        Files.createFile(directory.resolve("conf/defaults.ini"));
        Path program = Files.createDirectories(directory.resolve("bin")).resolve("grafana");
        ServerProviderTest.program(program, "echo grafana version " + version);
    }
}
