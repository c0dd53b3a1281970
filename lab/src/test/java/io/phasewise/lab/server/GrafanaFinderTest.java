/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.server.Lookup.Found;
import io.phasewise.lab.server.Lookup.Missing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where Grafana is looked for. */
class GrafanaFinderTest {

    @TempDir Path directory;

    @Test
    void isTakenFromGrafanaHome() throws Exception {
        unpack("13.0.1");
        assertThat(find(Map.of("GRAFANA_HOME", directory.toString())))
                .isEqualTo(
                        new Found<>(
                                new GrafanaInstallation(
                                        List.of(
                                                directory.resolve("bin/grafana").toString(),
                                                "server"),
                                        directory,
                                        new Version(13, 0, 1))));
    }

    @Test
    void isTakenFromPathWithTheHomeItLiesIn() throws Exception {
        unpack("13.0.1");
        assertThat(find(Map.of("PATH", directory.resolve("bin").toString())).found())
                .map(GrafanaInstallation::home)
                .contains(directory.toRealPath());
    }

    @Test
    void isMissingWhenTooOld() throws Exception {
        unpack("8.5.0");
        assertThat(find(Map.of("GRAFANA_HOME", directory.toString())))
                .isEqualTo(
                        new Missing<>(
                                directory.resolve("bin/grafana") + " is 8.5.0, older than 9.4.0",
                                "Install Grafana 9.4.0 or newer, or unpack it and set GRAFANA_HOME"
                                        + " to where it is."));
    }

    @Test
    void isMissingWhenNowhere() throws Exception {
        assertThat(reason(find(Map.of("PATH", directory.toString()))))
                .isEqualTo("no grafana on PATH and no GRAFANA_HOME");
        assertThat(reason(find(Map.of("GRAFANA_HOME", "/nowhere"))))
                .isEqualTo("GRAFANA_HOME is /nowhere, which has no bin/grafana");
    }

    private static String reason(Lookup<GrafanaInstallation> lookup) {
        assertThat(lookup).isInstanceOf(Missing.class);
        return ((Missing<GrafanaInstallation>) lookup).reason();
    }

    private static Lookup<GrafanaInstallation> find(Map<String, String> environment)
            throws InterruptedException {
        return new GrafanaFinder(environment).find();
    }

    private void unpack(String version) throws IOException {
        Files.createDirectories(directory.resolve("conf"));
        Files.createFile(directory.resolve("conf/defaults.ini"));
        Path program = Files.createDirectories(directory.resolve("bin")).resolve("grafana");
        Files.writeString(program, "#!/bin/sh\necho grafana version " + version + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
