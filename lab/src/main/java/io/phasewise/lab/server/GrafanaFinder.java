/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import io.phasewise.lab.process.MissingException;
import io.phasewise.lab.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds an installed Grafana, in GRAFANA_HOME or on PATH. It is never built: that takes more than a
 * launcher should do.
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
     * Looks for it.
     *
     * @throws MissingException when it is not to be had
     * @throws InterruptedException when interrupted
     */
    public GrafanaInstallation find() throws InterruptedException {
        String configured = environment.getOrDefault("GRAFANA_HOME", "").strip();
        boolean told = !configured.isEmpty();
        Path program =
                told
                        ? Path.of(configured, "bin/grafana")
                        : Programs.find("grafana", environment.get("PATH"))
                                .orElseThrow(
                                        () -> missing("no grafana on PATH and no GRAFANA_HOME"));
        if (!Files.isExecutable(program)) {
            throw missing("GRAFANA_HOME is " + configured + ", which has no bin/grafana");
        }
        Path home =
                (told ? Optional.of(Path.of(configured)) : home(program))
                        .orElseThrow(
                                () -> missing("the home path of " + program + " is not known"));
        Version version =
                Version.of(program)
                        .orElseThrow(() -> missing(program + " does not say its version"));
        if (!version.isAtLeast(MINIMUM)) {
            throw missing("%s is %s, older than %s".formatted(program, version, MINIMUM));
        }
        return new GrafanaInstallation(program, home, version);
    }

    private static MissingException missing(String reason) {
        return new MissingException(
                reason,
                "Install Grafana %s or newer, or unpack it and set GRAFANA_HOME to where it is."
                        .formatted(MINIMUM));
    }

    /** An unpacked archive has its program in bin/; a package has it in /usr. */
    private static Optional<Path> home(Path program) {
        Path real;
        try {
            real = program.toRealPath();
        } catch (IOException brokenLink) {
            return Optional.empty();
        }
        return Stream.of(real.resolve("../..").normalize(), PACKAGE_HOME)
                .filter(home -> Files.isRegularFile(home.resolve("conf/defaults.ini")))
                .findFirst();
    }
}
