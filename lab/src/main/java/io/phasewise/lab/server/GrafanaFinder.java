/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import io.phasewise.common.cli.MissingException;
import io.phasewise.lab.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Finds an installed Grafana, in GRAFANA_HOME or on PATH. The launcher never builds it, as that
 * takes too much.
 */
public final class GrafanaFinder {

    /** The oldest that can read the dashboards. */
    static final Version MINIMUM = new Version(9, 4, 0);

    private static final Path PACKAGE_HOME = Path.of("/usr/share/grafana");

    private final Map<String, String> environment;

    /**
     * @param environment the process's environment
     */
    public GrafanaFinder(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /**
     * Finds it.
     *
     * @throws MissingException when there is none, or it is too old
     * @throws InterruptedException when interrupted
     */
    public GrafanaInstallation find() throws InterruptedException {
        try {
            return installed();
        } catch (IOException unusable) {
            throw new MissingException(
                    unusable.getMessage(),
                    "Install Grafana %s or newer, or unpack it and set GRAFANA_HOME to where it is."
                            .formatted(MINIMUM));
        }
    }

    private GrafanaInstallation installed() throws IOException, InterruptedException {
        String told = environment.getOrDefault("GRAFANA_HOME", "").strip();
        Path program = told.isEmpty() ? onPath() : Path.of(told, "bin/grafana");
        if (!Files.isExecutable(program)) {
            throw new IOException("GRAFANA_HOME is " + told + ", which has no bin/grafana");
        }
        Path home = told.isEmpty() ? home(program) : Path.of(told);
        return new GrafanaInstallation(program, home, Version.of(program, MINIMUM));
    }

    private Path onPath() throws IOException {
        return Programs.find("grafana", environment.get("PATH"))
                .orElseThrow(() -> new IOException("no grafana on PATH and no GRAFANA_HOME"));
    }

    /**
     * The home directory: an unpacked archive has the program in its bin/, a package has it in
     * /usr.
     */
    private static Path home(Path program) throws IOException {
        return Stream.of(program.toRealPath().resolve("../..").normalize(), PACKAGE_HOME)
                .filter(home -> Files.isRegularFile(home.resolve("conf/defaults.ini")))
                .findFirst()
                .orElseThrow(() -> new IOException("the home path of " + program + " is not known"));
    }
}
