/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A file that only one holder on this machine can lock; the lock also ends with the holder's
 * process.
 */
public final class LockFile implements AutoCloseable {

    private static final long LOOK_MILLIS = 100;

    private final FileChannel channel;

    private LockFile(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Locks the file and writes this process's pid into it.
     *
     * @param file created when absent
     * @param patience how long to wait for another holder; zero: not at all
     * @param waiting called again and again while waiting
     * @return empty when another holder still has it after that time
     * @throws IOException when it cannot be locked
     * @throws InterruptedException when interrupted while waiting
     */
    public static Optional<LockFile> take(Path file, Duration patience, Runnable waiting)
            throws IOException, InterruptedException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        LockFile taken = new LockFile(channel);
        boolean locked = false;
        try {
            long start = System.nanoTime();
            while (!(locked = taken.tryLock()) && System.nanoTime() - start < patience.toNanos()) {
                waiting.run();
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
            if (!locked) {
                return Optional.empty();
            }
            channel.truncate(0);
            channel.write(StandardCharsets.US_ASCII.encode(
                    "" + ProcessHandle.current().pid()));
            return Optional.of(taken);
        } finally {
            if (!locked) {
                taken.close();
            }
        }
    }

    /** The pid of the holder; an empty text when it is not known. */
    public static String holder(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    private boolean tryLock() throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException heldByThisProcess) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
