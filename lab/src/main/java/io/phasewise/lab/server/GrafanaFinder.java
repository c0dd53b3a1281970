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
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Gets Grafana: in GRAFANA_HOME or on PATH, or downloaded earlier, or downloaded now as its
 * official release. It is never built: that takes more than a launcher should do.
 */
public final class GrafanaFinder {

    /** The oldest that can read the dashboards. */
    static final Version MINIMUM = new Version(9, 4, 0);

    private static final Path PACKAGE_HOME = Path.of("/usr/share/grafana");

    private final Map<String, String> environment;
    private final ServerCache cache;
    private final ReleaseDownloads downloads;

    /**
     * Without downloads.
     *
     * @param environment the process's environment
     */
    public GrafanaFinder(Map<String, String> environment) {
        this(environment, ReleaseDownloads.none());
    }

    /**
     * @param environment the process's environment
     */
    public GrafanaFinder(Map<String, String> environment, ReleaseDownloads downloads) {
        this.environment = Map.copyOf(environment);
        this.cache = ServerCache.forUser(environment);
        this.downloads = downloads;
    }

    /**
     * Finds it.
     *
     * @throws MissingException when there is none, or it is too old
     * @throws InterruptedException when interrupted
     */
    public GrafanaInstallation find() throws InterruptedException {
        return find(what -> {});
    }

    /**
     * Looks for it, and downloads it where there is none and GRAFANA_HOME names none.
     *
     * @param progress takes what is done, in words, while it is downloaded
     * @throws MissingException when it is not to be had
     * @throws InterruptedException when interrupted
     */
    public GrafanaInstallation find(Consumer<String> progress) throws InterruptedException {
        String reason;
        try {
            return installed();
        } catch (IOException unusable) {
            reason = unusable.getMessage();
        }
        try {
            if (told().isEmpty()) {
                return downloaded(progress);
            }
        } catch (IOException notToBeHad) {
            reason += "; not downloaded: " + notToBeHad.getMessage();
        }
        throw new MissingException(
                reason,
                "Install Grafana %s or newer, or unpack it and set GRAFANA_HOME to where it is.".formatted(MINIMUM));
    }

    private GrafanaInstallation downloaded(Consumer<String> progress) throws IOException, InterruptedException {
        PinnedRelease release = downloads.pinned("grafana");
        String name = "grafana-" + release.version() + "-" + release.sha256().substring(0, 8);
        Path home = cache.home(name);
        Path program = home.resolve("bin/grafana");
        if (!Files.isExecutable(program)) {
            cache.make(
                    name,
                    "grafana",
                    () -> Files.isExecutable(program),
                    progress,
                    into -> downloads.get(release, into, cache.partial(release), progress));
        }
        return new GrafanaInstallation(program, home, release.version());
    }

    private String told() {
        return environment.getOrDefault("GRAFANA_HOME", "").strip();
    }

    private GrafanaInstallation installed() throws IOException, InterruptedException {
        String told = told();
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
