/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.context;

import io.phasewise.common.file.ImpatientRead;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether somebody wants the canary to send nothing: a file that is there pauses every cluster, or
 * those that it names, one a line. Thread-safe.
 *
 * <p>A file and not a request: whoever may stop the measuring is whoever may write it, it outlives
 * a restart, and one that is mounted into several canaries pauses them together.
 */
public final class PauseFile {
    private static final Logger LOG = LoggerFactory.getLogger(PauseFile.class);
    private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

    /** How long to wait for the disk: the ticker of each profile asks, and must not hang. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private static final int MOST_BYTES = 1 << 20;

    private final ImpatientRead<Boolean> reads = new ImpatientRead<>("pause-file", PATIENCE);
    private final Optional<Path> file;
    private final LongSupplier nanoClock;
    private final Function<Path, Optional<Set<String>>> looker;
    private final Consumer<String> log;
    private boolean hanging;
    private boolean looked;
    private long lookedAt;

    /** The names in the file; none of them means every cluster. Null while there is no file. */
    private volatile Set<String> names;

    /**
     * @param file need not be there
     * @param nanoClock monotonic nanoseconds
     */
    public PauseFile(Optional<Path> file, LongSupplier nanoClock) {
        this(file, PauseFile::look, LOG::warn, nanoClock);
    }

    /**
     * @param looker reads the file; may hang
     * @param log takes a line when the disk begins to hang, and when it no longer does
     */
    public PauseFile(
            Optional<Path> file,
            Function<Path, Optional<Set<String>>> looker,
            Consumer<String> log,
            LongSupplier nanoClock) {
        this.file = file;
        this.looker = looker;
        this.log = log;
        this.nanoClock = nanoClock;
    }

    /**
     * Whether a cluster pauses. Looks at the file once a second at most.
     *
     * @param cluster its name
     */
    public boolean pauses(String cluster) {
        if (file.isEmpty()) {
            return false;
        }
        if (isDue()) {
            try {
                // While the disk hangs, what the file said before stays true.
                boolean answered = reads.read(() -> {
                            names = looker.apply(file.get()).orElse(null);
                            return Boolean.TRUE;
                        })
                        .isPresent();
                note(!answered);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        Set<String> now = names;
        return now != null && (now.isEmpty() || now.contains(cluster));
    }

    private synchronized void note(boolean hangs) {
        if (hanging == hangs) {
            return;
        }
        hanging = hangs;
        log.accept(
                hangs
                        ? "pause-file: %s cannot be read: its disk has not answered for %d ms. What it said before stays true"
                                .formatted(file.get(), PATIENCE.toMillis())
                        : "pause-file: %s can be read again".formatted(file.get()));
    }

    private synchronized boolean isDue() {
        long now = nanoClock.getAsLong();
        if (looked && now - lookedAt < LOOK_NANOS) {
            return false;
        }
        looked = true;
        lookedAt = now;
        return true;
    }

    /**
     * Empty where there is no file. One that is there and cannot be read, or is no regular file, was
     * put there by somebody: it pauses everything.
     */
    private static Optional<Set<String>> look(Path path) {
        try {
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                return Optional.of(Set.of());
            }
            byte[] content;
            try (InputStream in = Files.newInputStream(path)) {
                content = in.readNBytes(MOST_BYTES);
            }
            return Optional.of(new String(content, StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .collect(Collectors.toUnmodifiableSet()));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException unreadable) {
            return Optional.of(Set.of());
        }
    }
}
