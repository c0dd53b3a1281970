/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import io.phasewise.lab.process.MissingException;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Finds a prometheus and promtool without native histograms, 2.42 to 3.7: installed, or those of
 * Debian's package, unpacked in this user's cache.
 */
final class OldPrometheus {
    private static final Duration DOWNLOAD = Duration.ofMinutes(5);

    private final Path directory;

    private OldPrometheus(Path directory) {
        this.directory = directory;
    }

    /**
     * The directory with both; skips the calling test, with what is missing, where there is none.
     *
     * @param directory for what lives no longer than the test
     */
    static Path getOrSkip(Path directory) throws IOException, InterruptedException {
        return new OldPrometheus(directory).get();
    }

    private Path get() throws IOException, InterruptedException {
        Path installed = Path.of("/usr/bin");
        if (isOld(installed)) {
            return installed;
        }
        Path cache = Path.of(System.getProperty("user.home"), ".cache/phasewise/servers");
        Path debian = cache.resolve("debian-prometheus");
        Path unpacked = debian.resolve("usr/bin");
        String said = isOld(unpacked) ? "" : unpackDebians(debian);
        Assumptions.assumeTrue(
                isOld(unpacked),
                "no prometheus and promtool 2.42 to 3.7: none is in /usr/bin, and Debian's package"
                        + (" cannot be had " + said));
        return unpacked;
    }

    /** As {@code up} judges them. */
    private boolean isOld(Path place) throws IOException, InterruptedException {
        // Where there is none at all, one would be built.
        if (!Files.isExecutable(place.resolve(ServerKind.PROMETHEUS.program()))) {
            return false;
        }
        Path emptyCache = Files.createTempDirectory(directory, "cache");
        try {
            return !new ServerProvider(Repository.ROOT, emptyCache, place.toString())
                    .findOldOrBuild(ServerKind.PROMETHEUS, line -> {})
                    .isFull(ServerKind.PROMETHEUS);
        } catch (MissingException tooOld) {
            return false;
        }
    }

    /** Returns what the tools said. */
    private String unpackDebians(Path place) throws IOException {
        Path download = Files.createDirectories(directory.resolve("download"));
        String said = run(Command.of("apt-get", "download", "prometheus").in(download));
        try (Stream<Path> files = Files.list(download)) {
            Optional<Path> found = files.filter(it -> it.toString().endsWith(".deb")).findFirst();
            if (found.isEmpty()) {
                return said;
            }
            Files.createDirectories(place);
            return said + run(Command.of("dpkg-deb", "-x", found.get(), place));
        }
    }

    private static String run(Command command) {
        try {
            return "(" + command + ": " + command.run(DOWNLOAD).output().strip() + ")";
        } catch (UncheckedIOException missing) {
            return "(" + missing.getMessage() + ")";
        }
    }
}
