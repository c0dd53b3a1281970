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
 * libfaketime (Debian's package {@code faketime}). The process must be started with {@link
 * #environment}. Only the wall clock is wrong: monotonic clocks, time-outs and the times of files
 * stay right.
 *
 * <p>A copy of the library is preloaded, in which its functions for condition variables have names
 * that nobody calls. Up to version 0.9.10 (Debian 12) these functions use the false wall clock in
 * place of the monotonic one, whatever the settings say. Then every timed wait of a JVM ends at
 * once, and the JVM runs at full load.
 *
 * <p>A change takes effect when the process next reads the clock. Each reading reads a file, which
 * takes some 20 microseconds.
 */
public final class AdjustableClock {

    private static final List<Path> PLACES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib64/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/faketime/libfaketimeMT.so.1"));

    private static final String WAITS = "pthread_cond_";
    private static final String RENAMED = "pthread_c0nd_";

    private final Path library;
    private final Path file;

    /**
     * Makes a clock that is right until it is set.
     *
     * @param library from {@link #library}
     * @param file that holds how wrong the clock is; the copy of the library is put beside it.
     *     Its directory is created when absent
     * @throws UncheckedIOException when the library cannot be read or the files not be written
     */
    public AdjustableClock(Path library, Path file) {
        this.file = file.toAbsolutePath();
        this.library = this.file.resolveSibling(this.file.getFileName() + ".so");
        set(Duration.ZERO);
        try {
            // ISO 8859-1 gives every byte a character and back.
            String all = Files.readString(library, StandardCharsets.ISO_8859_1);
            Files.writeString(this.library, all.replace(WAITS, RENAMED), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot copy " + library + " to " + this.library, e);
        }
    }

    /** The path of the library; empty when it is not installed. */
    public static Optional<Path> library() {
        return PLACES.stream().filter(Files::isReadable).findFirst();
    }

    /** The environment of a process that is to use this clock. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_NO_CACHE", "1",
                "DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // The JVM checks that the times of its files have not changed.
                "NO_FAKE_STAT", "1");
    }

    /**
     * Sets the clock.
     *
     * @param ahead by how much it is ahead of the true time, to the microsecond; negative:
     *     behind
     * @throws UncheckedIOException when it cannot be written
     */
    public void set(Duration ahead) {
        String text = String.format(Locale.ROOT, "%+.6f%n", ahead.toNanos() / 1e9);
        try {
            Files.createDirectories(file.getParent());
            // In one step, as the process may be reading it.
            FileTree.replace(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot set " + file, e);
        }
    }
}
