/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.fault;

import io.phasewise.lab.file.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A wall clock for one process that can be set wrong while the process runs, by preloading
 * libfaketime (Debian's package {@code faketime}); the process is started by others, with {@link
 * #environment}. Only the wall clock lies: monotonic clocks, timeouts and the times of files stay
 * true.
 *
 * <p>What is preloaded is a copy in which the library's functions for condition variables go by
 * names that nobody calls. Up to and with 0.9.10, which is Debian 12's, they take the false wall
 * clock for the monotonic one, told to or not, and every timed wait of a JVM ends at once, at full
 * load.
 *
 * <p>A change takes effect at the process's next look at the clock. Each look reads a file, some 20
 * microseconds.
 */
public final class AdjustableClock {

    private static final List<Path> PLACES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib64/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/faketime/libfaketimeMT.so.1"));

    private static final String WAITS = "pthread_cond_";
    private static final String NOBODYS = "pthread_c0nd_";

    private final Path library;
    private final Path file;

    /**
     * A clock that is right until it is set.
     *
     * @param library from {@link #library}
     * @param file where to keep how wrong it is, and beside it a copy of the library; its directory
     *     is created when absent
     * @throws UncheckedIOException when the library cannot be read or the files not be written
     */
    public AdjustableClock(Path library, Path file) {
        this.file = file.toAbsolutePath();
        this.library = this.file.resolveSibling(this.file.getFileName() + ".so");
        set(Duration.ZERO);
        try {
            // ISO 8859-1 gives every byte a character and back.
            String all = Files.readString(library, StandardCharsets.ISO_8859_1);
            Files.writeString(this.library, all.replace(WAITS, NOBODYS), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot copy " + library + " to " + this.library, e);
        }
    }

    /** Where the library lies; empty when it is not installed. */
    public static Optional<Path> library() {
        return PLACES.stream().filter(Files::isReadable).findFirst();
    }

    /** What a process needs in its environment to go by this clock. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_NO_CACHE", "1",
                "DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // The JVM compares the times of its files with those that it remembers.
                "NO_FAKE_STAT", "1");
    }

    /**
     * Sets it wrong.
     *
     * @param ahead how much it is to be ahead of the true time; negative for behind. To the
     *     microsecond
     * @throws UncheckedIOException when it cannot be written
     */
    public void set(Duration ahead) {
        String text = String.format(Locale.ROOT, "%+.6f%n", ahead.toNanos() / 1e9);
        try {
            Files.createDirectories(file.getParent());
            // In one go: the process may be reading.
            FileTree.replace(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot set " + file, e);
        }
    }
}
