/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An official release of a server for one platform, and its checksum. All that are known stand in
 * {@code lab/servers.sha256}, as {@code sha256sum} writes them.
 *
 * @param program of the server
 * @param version of the release
 * @param platform operating system and processor as Go names them, for instance {@code linux-amd64}
 * @param sha256 of the archive, 64 hexadecimal digits
 */
record PinnedRelease(String program, Version version, String platform, String sha256) {

    private static final Pattern LINE = Pattern.compile(
            "([0-9a-f]{64})  ([a-z_]+)-(\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,4})\\.([a-z]+-[a-z0-9]+)\\.tar\\.gz");

    /**
     * Reads the list.
     *
     * @throws IOException when it cannot be, or a line is of another form
     */
    static List<PinnedRelease> read(Path file) throws IOException {
        List<PinnedRelease> all = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                all.add(parse(line, file));
            }
        }
        return all;
    }

    private static PinnedRelease parse(String line, Path file) throws IOException {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IOException("a line of %s is no checksum of a release: %s".formatted(file, line));
        }
        Version version = new Version(
                Integer.parseInt(matcher.group(3)),
                Integer.parseInt(matcher.group(4)),
                Integer.parseInt(matcher.group(5)));
        return new PinnedRelease(matcher.group(2), version, matcher.group(6), matcher.group(1));
    }

    /** The archive's name. */
    String archive() {
        return program + "-" + version + "." + platform + ".tar.gz";
    }

    /**
     * Where it is published.
     *
     * @param mirror a server with the same paths; empty for the publisher's own
     */
    URI uri(Optional<URI> mirror) {
        boolean grafana = program.equals("grafana");
        String publisher = grafana ? "https://dl.grafana.com" : "https://github.com";
        String path = grafana
                ? "/oss/release/" + archive()
                : "/prometheus/%s/releases/download/v%s/%s".formatted(program, version, archive());
        return URI.create(mirror.map(URI::toString).orElse(publisher) + path);
    }

    /** What this machine is, as Go names it. */
    static String thisPlatform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch");
        return (system.startsWith("mac") ? "darwin" : system)
                + "-"
                + switch (processor) {
                    case "x86_64" -> "amd64";
                    case "aarch64" -> "arm64";
                    default -> processor;
                };
    }
}
