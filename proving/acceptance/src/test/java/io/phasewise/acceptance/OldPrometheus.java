/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import io.phasewise.common.cli.MissingException;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;

/**
 * Finds a prometheus and promtool without stable native histograms, 2.42 to 3.7: installed ones, or
 * those of Debian's package, unpacked in this user's cache.
 */
final class OldPrometheus {
    private static final Duration DOWNLOAD = Duration.ofMinutes(5);
    private static final Path DEBIAN =
            Path.of(System.getProperty("user.home"), ".cache/phasewise/servers/debian-prometheus");
    private static final String UNPACK =
            "apt-get download prometheus && mkdir -p $0 && dpkg-deb -x prometheus_*.deb $0";

    private OldPrometheus() {}

    /**
     * The directory with both. Skips the calling test, and says what is missing, when there is
     * none.
     *
     * @param directory for temporary files
     */
    static Path getOrSkip(Path directory) throws IOException, InterruptedException {
        Path installed = Path.of("/usr/bin");
        if (isOld(installed, directory)) {
            return installed;
        }
        Path unpacked = DEBIAN.resolve("usr/bin");
        if (!isOld(unpacked, directory)) {
            String said = Command.of("sh", "-c", UNPACK, DEBIAN)
                    .in(directory)
                    .run(DOWNLOAD)
                    .output();
            Assumptions.assumeTrue(
                    isOld(unpacked, directory),
                    "no prometheus and promtool 2.42 to 3.7: none is in /usr/bin, and Debian's package cannot be had: "
                            + said);
        }
        return unpacked;
    }

    /** Whether {@code up} would use them. */
    private static boolean isOld(Path place, Path directory) throws IOException, InterruptedException {
        // Without any Prometheus, one would be built.
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
}
