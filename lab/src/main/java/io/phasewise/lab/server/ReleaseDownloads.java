/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import io.phasewise.common.cli.UsageException;
import io.phasewise.lab.download.Downloader;
import io.phasewise.lab.download.EnvironmentProxies;
import io.phasewise.lab.download.ReleaseArchive;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Downloads official releases whose checksums are pinned. A host that cannot be reached is asked
 * once. Where an unpacked release is kept is left to {@link ServerCache}.
 */
public final class ReleaseDownloads {

    /** In the environment: a server with the publishers' paths, or {@code off}. */
    static final String SETTING = "PHASEWISE_DOWNLOADS";

    private static final String OFF = "off";
    private static final long MOST_UNPACKED = 3L << 30;
    private static final long MEGABYTE = 1_000_000;

    private final Path list;
    private final Map<String, String> environment;
    private final Downloader.Bounds bounds;
    private final Set<String> unreachable = ConcurrentHashMap.newKeySet();

    /**
     * @param list the checksums; need not exist
     * @param environment for proxies and {@value #SETTING}
     */
    ReleaseDownloads(Path list, Map<String, String> environment, Downloader.Bounds bounds) {
        this.list = list;
        this.environment = Map.copyOf(environment);
        this.bounds = bounds;
        mirror();
    }

    /**
     * Those that the repository pins.
     *
     * @param environment the process's environment
     * @throws UsageException when it has a {@value #SETTING} that is none
     */
    public static ReleaseDownloads forUser(Path root, Map<String, String> environment) {
        return new ReleaseDownloads(root.resolve("lab/servers.sha256"), environment, Downloader.Bounds.RELEASE);
    }

    /** Downloads nothing. */
    static ReleaseDownloads none() {
        return new ReleaseDownloads(Path.of("none"), Map.of(SETTING, OFF), Downloader.Bounds.RELEASE);
    }

    /**
     * The release of a program for this machine.
     *
     * @throws IOException when none is pinned, or nothing is to be downloaded; the message says so
     */
    PinnedRelease pinned(String program) throws IOException {
        if (setting().equals(OFF)) {
            throw new IOException(SETTING + " is off");
        }
        String platform = PinnedRelease.thisPlatform();
        List<PinnedRelease> all = Files.exists(list) ? PinnedRelease.read(list) : List.of();
        return all.stream()
                .filter(each ->
                        each.program().equals(program) && each.platform().equals(platform))
                .findFirst()
                .orElseThrow(
                        () -> new IOException("no checksum of %s for %s is in %s".formatted(program, platform, list)));
    }

    /**
     * Downloads a release, checks it and unpacks it.
     *
     * @param into an empty directory; empty again when this fails
     * @param partial keeps what came, for the next attempt, when the transfer fails
     * @param progress takes what is done, in words
     * @throws IOException when it is not to be had; the message says why
     * @throws InterruptedException when interrupted
     */
    void get(PinnedRelease release, Path into, Path partial, Consumer<String> progress)
            throws IOException, InterruptedException {
        URI from = release.uri(mirror());
        if (unreachable.contains(from.getAuthority())) {
            throw new IOException(from.getAuthority() + " cannot be reached");
        }
        progress.accept("downloading it, once");
        try {
            new Downloader(EnvironmentProxies.client(environment), bounds)
                    .fetch(
                            from,
                            release.sha256(),
                            partial,
                            (have, of) -> progress.accept(
                                    of < 0
                                            ? "downloading it, once: %d MB".formatted(have / MEGABYTE)
                                            : "downloading it, once: %d of %d MB"
                                                    .formatted(have / MEGABYTE, of / MEGABYTE)));
        } catch (ConnectException | HttpTimeoutException noWay) {
            unreachable.add(from.getAuthority());
            throw new IOException(from.getAuthority() + " cannot be reached", noWay);
        }
        progress.accept("unpacking it");
        try {
            ReleaseArchive.unpack(partial, into, MOST_UNPACKED);
        } finally {
            Files.delete(partial);
        }
    }

    private Optional<URI> mirror() {
        if (setting().isEmpty() || setting().equals(OFF)) {
            return Optional.empty();
        }
        String address = setting().replaceFirst("/+$", "");
        if (!address.matches("https?://[^/?#@]+(/[^?#]*)?")) {
            throw new UsageException(
                    "%s is '%s'; allowed: the http or https URL of a server, or off".formatted(SETTING, setting()));
        }
        try {
            return Optional.of(URI.create(address));
        } catch (IllegalArgumentException e) {
            throw new UsageException("%s is '%s': %s".formatted(SETTING, setting(), e.getMessage()));
        }
    }

    private String setting() {
        return environment.getOrDefault(SETTING, "").strip();
    }
}
