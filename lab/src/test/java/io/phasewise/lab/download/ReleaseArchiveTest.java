/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.lab.process.CommandOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives as tar writes them, and some that are made to do harm. */
class ReleaseArchiveTest {

    private static final String LONG = "public/" + "much/".repeat(40) + "file.js";

    @TempDir
    Path directory;

    private Path into;

    @BeforeEach
    void makeADirectory() throws IOException {
        into = Files.createDirectory(directory.resolve("into"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gnu", "pax", "ustar"})
    void unpacksWhatTarWrites(String format) throws Exception {
        Path release = directory.resolve("server-1.2.3");
        String name = format.equals("ustar") ? "public/" + "much/".repeat(20) + "file.js" : LONG;
        Files.createDirectories(release.resolve(name).getParent());
        Files.writeString(release.resolve(name), "x".repeat(1000));
        Files.writeString(release.resolve("empty"), "");
        Files.writeString(release.resolve("server"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(release.resolve("server"), PosixFilePermissions.fromString("rwxr-x---"));
        Files.createSymbolicLink(release.resolve("link"), Path.of("server"));
        Path archive = directory.resolve("archive.tar.gz");
        CommandOutput tar = CommandOutput.of(
                List.of("tar", "--format=" + format, "-czf", archive.toString(), "./server-1.2.3"),
                directory,
                Duration.ofSeconds(30));
        assertThat(tar.status()).as(tar.text()).isZero();

        ReleaseArchive.unpack(archive, into, 10_000);

        assertThat(into.resolve(name)).hasContent("x".repeat(1000));
        assertThat(into.resolve("empty")).isEmptyFile();
        assertThat(into.resolve("server")).isExecutable();
        assertThat(Files.isExecutable(into.resolve(name))).isFalse();
        assertThat(into.resolve("link")).as("links are left out").doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"release/../../outside", "../outside", "/tmp/outside", "outside", "release/.."})
    void aNameThatLeadsOutIsRefused(String name) throws Exception {
        Path archive = archive(entry(name, '0', "harm"));

        assertThatThrownBy(() -> ReleaseArchive.unpack(archive, into, 10_000))
                .hasMessageContaining("the archive has a file of the name " + name);

        assertThat(directory.resolve("outside")).doesNotExist();
    }

    @Test
    void nothingIsWrittenThroughALinkOrOverAFile() throws Exception {
        Path archive = archive(entry("release/link", '2', ""), entry("release/link/file", '0', "kept within"));

        ReleaseArchive.unpack(archive, into, 10_000);

        assertThat(into.resolve("link")).isDirectory().isNotSameAs(Path.of("/etc"));
        assertThat(Files.isSymbolicLink(into.resolve("link"))).isFalse();
        Path twice = archive(entry("release/twice", '0', "first"), entry("release/twice", '0', "second"));
        assertThatThrownBy(() -> ReleaseArchive.unpack(twice, into, 10_000))
                .isInstanceOf(java.nio.file.FileAlreadyExistsException.class);
    }

    @Test
    void oneThatHoldsMoreThanIsAllowedIsRefused() throws Exception {
        Path archive = archive(entry("release/one", '0', "12345"), entry("release/two", '0', "12345"));

        ReleaseArchive.unpack(archive, into, 10);
        Path again = Files.createDirectory(directory.resolve("again"));
        assertThatThrownBy(() -> ReleaseArchive.unpack(archive, again, 9))
                .hasMessageContaining("holds more than 9 bytes");
    }

    @Test
    void oneThatIsCutOrNoneAtAllIsRefused() throws Exception {
        byte[] whole = entry("release/one", '0', "x".repeat(2_000));
        Path cut = archive(java.util.Arrays.copyOf(whole, 1_000));
        assertThatThrownBy(() -> ReleaseArchive.unpack(cut, into, 10_000)).isInstanceOf(IOException.class);

        Path none = archive("y".repeat(2_000).getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> ReleaseArchive.unpack(none, into, 10_000)).hasMessageContaining("no tar archive");
    }

    private Path archive(byte[]... entries) throws IOException {
        Path archive = Files.createTempFile(directory, "archive", ".tar.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(archive))) {
            for (byte[] entry : entries) {
                out.write(entry);
            }
        }
        return archive;
    }

    /** A header of the oldest form, and the content. A link leads to /etc. */
    private static byte[] entry(String name, char type, String content) throws IOException {
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 100, "0000644");
        put(header, 124, "%011o".formatted(content.length()));
        header[156] = (byte) type;
        put(header, 157, type == '2' ? "/etc" : "");
        ByteArrayOutputStream entry = new ByteArrayOutputStream();
        entry.write(header);
        entry.write(content.getBytes(StandardCharsets.US_ASCII));
        entry.write(new byte[(512 - content.length() % 512) % 512]);
        return entry.toByteArray();
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
