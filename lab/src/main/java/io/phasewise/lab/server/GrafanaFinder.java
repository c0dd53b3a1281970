/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import io.phasewise.lab.process.Programs;
import io.phasewise.lab.server.Lookup.Found;
import io.phasewise.lab.server.Lookup.Missing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds an installed Grafana, in GRAFANA_HOME or on PATH. It is never built: that takes more than a
 * launcher should do.
 */
public final class GrafanaFinder {

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
     * @throws InterruptedException when interrupted
     */
    public Lookup<GrafanaInstallation> find() throws InterruptedException {
        Optional<Path> configured =
                Optional.ofNullable(environment.get("GRAFANA_HOME"))
                        .filter(home -> !home.isBlank())
                        .map(Path::of);
        Optional<Path> program =
                configured.isPresent()
                        ? Optional.of(configured.get().resolve("bin/grafana"))
                                .filter(Files::isExecutable)
                        : Programs.find("grafana", environment.get("PATH"));
        if (program.isEmpty()) {
            return missing(
                    configured
                            .map(home -> "GRAFANA_HOME is " + home + ", which has no bin/grafana")
                            .orElse("no grafana on PATH and no GRAFANA_HOME"));
        }
        Optional<Path> home = configured.isPresent() ? configured : home(program.get());
        if (home.isEmpty()) {
            return missing("the home path of " + program.get() + " is not known");
        }
        Optional<Version> version = Version.of(program.get());
        if (version.isEmpty()) {
            return missing(program.get() + " does not say its version");
        }
        if (!version.get().isAtLeast(GrafanaInstallation.MINIMUM)) {
            return missing(
                    "%s is %s, older than %s"
                            .formatted(program.get(), version.get(), GrafanaInstallation.MINIMUM));
        }
        return new Found<>(
                new GrafanaInstallation(
                        List.of(program.get().toString(), "server"), home.get(), version.get()));
    }

    private static Lookup<GrafanaInstallation> missing(String reason) {
        return new Missing<>(
                reason,
                "Install Grafana %s or newer, or unpack it and set GRAFANA_HOME to where it is."
                        .formatted(GrafanaInstallation.MINIMUM));
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
