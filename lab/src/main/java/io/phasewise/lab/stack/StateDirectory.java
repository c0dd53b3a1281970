/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.stack.LocalStack;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The one directory that a stack keeps everything in: its state, data, logs and generated
 * configuration. Guards it against a second launcher and against being somebody else's. What the
 * state means is left to its users.
 */
public final class StateDirectory {

    private static final long LOCK_LOOK_MILLIS = 100;
    private static final String STATE = "state.json";
    private static final String LOCK = "lock";
    private static final List<String> OURS =
            List.of(
                    "broker-1",
                    "broker-2",
                    "broker-3",
                    "controller-1",
                    "controller-2",
                    "controller-3",
                    "cluster.id",
                    LocalStack.ADDRESSES,
                    "canary",
                    "prometheus",
                    "alertmanager",
                    "grafana",
                    "receiver",
                    "node-exporter",
                    "logs",
                    STATE,
                    STATE + ".new",
                    LOCK,
                    // Last: while it is there, what is left can be purged again.
                    LocalStack.MARKER);

    private final Path path;
    private final LocalStack stack;
    private final StateCodec codec = new StateCodec();

    /**
     * @param path need not exist
     */
    public StateDirectory(Path path) {
        this(new LocalStack(path));
    }

    /** The same of one that is found already. */
    public StateDirectory(LocalStack stack) {
        this.stack = stack;
        this.path = stack.directory();
    }

    public Path path() {
        return path;
    }

    /** Everything of one component but its log: generated configuration and data. */
    Path home(String component) {
        return path.resolve(component);
    }

    /** Whether a cluster has left its data here. */
    boolean hasData() {
        return Files.exists(home("broker-1").resolve("data"));
    }

    /** While it is there, the canary sends nothing. */
    public Path pauseFile() {
        return stack.pauseFile();
    }

    /** The component's output. */
    public Path log(String component) {
        return path.resolve("logs").resolve(component + ".log");
    }

    /** Whether a stack has ever been started here. */
    public boolean isOurs() {
        return stack.exists();
    }

    /**
     * Makes the directory ours.
     *
     * @throws LaunchException when it holds something else, or cannot be written
     */
    public void prepare() throws LaunchException {
        try {
            if (!isOurs() && Files.exists(path)) {
                requireEmptyDirectory();
            }
            Files.createDirectories(path);
            Files.writeString(
                    path.resolve(LocalStack.MARKER),
                    "The state of a local Phasewise stack; format 1.\n");
        } catch (IOException unwritable) {
            throw LaunchException.failed(
                    "cannot write to the state directory " + path + ": " + unwritable, unwritable);
        }
    }

    private void requireEmptyDirectory() throws IOException, LaunchException {
        if (!Files.isDirectory(path)) {
            throw LaunchException.usage("--state-dir: " + path + " is not a directory");
        }
        try (Stream<Path> entries = Files.list(path)) {
            if (entries.findAny().isPresent()) {
                throw LaunchException.usage(
                        "--state-dir: "
                                + path
                                + " holds something that is not a Phasewise stack; name an empty or"
                                + " a new directory");
            }
        }
    }

    /**
     * Held while a launcher starts or stops things; released when closed or when its process ends.
     */
    public interface Lock extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * As {@link #lock()}, but gives another launcher time to finish.
     *
     * @throws LaunchException when another one is still at it after that time
     * @throws InterruptedException when interrupted while waiting
     */
    public Lock lock(Duration patience) throws LaunchException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                return lock();
            } catch (LaunchException busy) {
                if (System.nanoTime() - deadline >= 0) {
                    throw busy;
                }
            }
            TimeUnit.MILLISECONDS.sleep(LOCK_LOOK_MILLIS);
        }
    }

    /**
     * Keeps other launchers from starting or stopping things here.
     *
     * @throws LaunchException when another one is at it
     */
    public Lock lock() throws LaunchException {
        Path file = path.resolve(LOCK);
        try {
            FileChannel channel =
                    FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            FileLock lock = tryLock(channel);
            if (lock == null) {
                String holder = Files.readString(file).strip();
                channel.close();
                throw LaunchException.failed(
                        "another launcher"
                                + (holder.isEmpty() ? "" : " (pid " + holder + ")")
                                + " is starting or stopping the stack in "
                                + path
                                + "; try again when it is done, or use another --state-dir");
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(
                            Long.toString(ProcessHandle.current().pid())
                                    .getBytes(StandardCharsets.US_ASCII)));
            return () -> close(channel);
        } catch (IOException unusable) {
            throw LaunchException.failed("cannot lock " + file + ": " + unusable, unusable);
        }
    }

    private static FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /**
     * Reads the state.
     *
     * @return empty when no stack has been started here
     * @throws LaunchException when the file cannot be understood
     */
    public Optional<StackState> read() throws LaunchException {
        Path file = path.resolve(STATE);
        try {
            return Optional.of(codec.read(Files.readString(file)));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException unreadable) {
            throw LaunchException.failed(
                    "cannot read "
                            + file
                            + ": "
                            + unreadable.getMessage()
                            + "; if nothing of the stack runs any more, delete that file",
                    unreadable);
        }
    }

    /**
     * Replaces the state; a reader, or a machine that loses power, sees the old one or the new one.
     *
     * @throws LaunchException when it cannot be written
     */
    public void write(StackState state) throws LaunchException {
        Path fresh = path.resolve(STATE + ".new");
        // Not through a channel: a thread that is being interrupted must still get its children
        // recorded.
        try (FileOutputStream file = new FileOutputStream(fresh.toFile())) {
            file.write(codec.write(state).getBytes(StandardCharsets.UTF_8));
            file.getFD().sync();
            Files.move(fresh, path.resolve(STATE), StandardCopyOption.ATOMIC_MOVE);
            stack.write(
                    state.components().stream()
                            .flatMap(each -> each.component().bootstrap().stream())
                            .collect(Collectors.joining(",")),
                    state.find("prometheus").map(each -> each.component().url()).orElse(""));
        } catch (IOException unwritable) {
            throw LaunchException.failed(
                    "cannot write " + path.resolve(STATE) + ": " + unwritable, unwritable);
        }
    }

    /**
     * Puts the log of the run before aside, as {@code .1}, in place of the one before that.
     *
     * @throws LaunchException when the files cannot be moved
     */
    Path freshLog(String component) throws LaunchException {
        Path log = log(component);
        try {
            Files.createDirectories(log.getParent());
            if (Files.exists(log)) {
                Files.move(
                        log,
                        log.resolveSibling(log.getFileName() + ".1"),
                        StandardCopyOption.REPLACE_EXISTING);
            }
            return log;
        } catch (IOException unwritable) {
            throw LaunchException.failed("cannot put aside " + log + ": " + unwritable, unwritable);
        }
    }

    /**
     * Removes what stacks left here, and the directory itself when nothing else is in it.
     *
     * @return what is left: things that no stack made
     * @throws LaunchException when the directory is not ours, or something cannot be removed
     */
    public List<Path> purge() throws LaunchException {
        if (!isOurs()) {
            throw LaunchException.usage(
                    "--purge: "
                            + path
                            + " is not the state directory of a stack (no "
                            + LocalStack.MARKER
                            + " in it); nothing was removed");
        }
        try {
            for (String entry : OURS) {
                delete(path.resolve(entry));
            }
            List<Path> left;
            try (Stream<Path> entries = Files.list(path)) {
                left = entries.sorted().toList();
            }
            if (left.isEmpty()) {
                Files.delete(path);
            }
            return left;
        } catch (IOException undeletable) {
            throw LaunchException.failed("cannot purge " + path + ": " + undeletable, undeletable);
        }
    }

    // Links are removed, not followed: what they point to is not ours.
    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(
                tree,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
                            throws IOException {
                        if (failure != null) {
                            throw failure;
                        }
                        Files.delete(directory);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
