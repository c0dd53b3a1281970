/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Whether somebody wants the canary to send nothing: a file that is there pauses every cluster, or
 * those that it names, one a line. Thread-safe.
 *
 * <p>A file and not a request: whoever may stop the measuring is whoever may write it, it outlives
 * a restart, and one that is mounted into several canaries pauses them together.
 */
public final class PauseFile {
    private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

    private final Optional<Path> file;
    private final LongSupplier nanoClock;
    private boolean looked;
    private long lookedAt;

    /** Null while there is no file; the names in it, none for every cluster. */
    private Set<String> names;

    /**
     * @param file need not be there
     * @param nanoClock monotonic nanoseconds
     */
    public PauseFile(Optional<Path> file, LongSupplier nanoClock) {
        this.file = file;
        this.nanoClock = nanoClock;
    }

    /**
     * Whether a cluster pauses. Looks at the file once a second at most.
     *
     * @param cluster its name
     */
    synchronized boolean pauses(String cluster) {
        if (file.isEmpty()) {
            return false;
        }
        long now = nanoClock.getAsLong();
        if (!looked || now - lookedAt >= LOOK_NANOS) {
            looked = true;
            lookedAt = now;
            look(file.get());
        }
        return names != null && (names.isEmpty() || names.contains(cluster));
    }

    /** A file that is there and cannot be read was put there by somebody: it pauses everything. */
    private void look(Path path) {
        try (var lines = Files.lines(path)) {
            names = lines.map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.toUnmodifiableSet());
        } catch (NoSuchFileException none) {
            names = null;
        } catch (IOException | UncheckedIOException unreadable) {
            names = Set.of();
        }
    }
}
