/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.phasewise.common.cli.UsageException;
import io.phasewise.common.stack.LocalStack;
import io.phasewise.lab.file.FileTree;
import io.phasewise.lab.file.LockFile;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The directory in which a stack keeps everything: state, data, logs and generated configuration.
 * It keeps a second launcher out, and refuses a directory that is not a stack's.
 */
public final class StateDirectory {

    private static final String STATE = "state.json";
    private static final String LOCK = "lock";

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
            .build();

    private final Path path;
    private final LocalStack stack;

    /**
     * @param stack the path; its directory need not exist
     */
    public StateDirectory(LocalStack stack) {
        this.stack = stack;
        this.path = stack.directory();
    }

    public Path path() {
        return path;
    }

    /** The directory of one component: generated configuration and data, without its log. */
    Path home(String component) {
        return path.resolve(component);
    }

    /** Whether there is data of a cluster. */
    boolean hasData() {
        return Files.exists(home("broker-1").resolve("data"));
    }

    /** While this file exists, the canary sends nothing. */
    Path pauseFile() {
        return stack.pauseFile();
    }

    /** The log of a component. */
    public Path log(String component) {
        return path.resolve("logs").resolve(component + ".log");
    }

    /** Whether a stack has ever been started here. */
    public boolean isOurs() {
        return stack.exists();
    }

    /**
     * Makes the directory a stack's.
     *
     * @throws UsageException when there is something else in it
     * @throws IOException when it cannot be written
     */
    public void prepare() throws IOException {
        if (!isOurs() && Files.exists(path)) {
            requireEmptyDirectory();
        }
        Files.createDirectories(path);
        Files.writeString(path.resolve(LocalStack.MARKER), "The state of a local Phasewise stack; format 1.\n");
    }

    private void requireEmptyDirectory() throws IOException {
        if (!Files.isDirectory(path)) {
            throw new UsageException("--state-dir: " + path + " is not a directory");
        }
        if (!entries().isEmpty()) {
            throw new UsageException(
                    "--state-dir: %s holds something that is not a Phasewise stack; name an empty or a new directory"
                            .formatted(path));
        }
    }

    private List<Path> entries() throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.sorted().toList();
        }
    }

    /**
     * Keeps other launchers from starting or stopping components here, until it is closed.
     *
     * @param patience how long to wait for another launcher; zero: not at all
     * @throws IOException when another launcher still has the lock after that time
     * @throws InterruptedException when interrupted while waiting
     */
    public LockFile lock(Duration patience) throws IOException, InterruptedException {
        Path file = path.resolve(LOCK);
        Optional<LockFile> lock = LockFile.take(file, patience, () -> {});
        if (lock.isEmpty()) {
            throw new IOException(
                    "another launcher (pid %s) is starting or stopping the stack in %s; try again when it is done, or use another --state-dir"
                            .formatted(LockFile.holder(file), path));
        }
        return lock.get();
    }

    /**
     * Reads the state.
     *
     * @return empty when no stack has been started here
     * @throws IOException when the file cannot be read
     */
    public Optional<StackState> read() throws IOException {
        Path file = path.resolve(STATE);
        try {
            String text = Files.readString(file);
            return Optional.of(
                    EarlierState.isOne(JSON.readTree(text))
                            ? JSON.readValue(text, EarlierState.class).state()
                            : JSON.readValue(text, StackState.class));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException | UsageException | DateTimeParseException unreadable) {
            throw new IOException(
                    "cannot read %s: %s; if nothing of the stack runs any more, delete that file"
                            .formatted(file, unreadable.getMessage()),
                    unreadable);
        }
    }

    /**
     * Replaces the state in one step: a reader sees the old one or the new one, also after a loss
     * of power.
     *
     * @throws IOException when it cannot be written
     */
    public void write(StackState state) throws IOException {
        Path fresh = path.resolve(STATE + ".new");
        // Not through a channel, which an interrupt closes: an interrupted thread must still
        // record its processes.
        try (FileOutputStream file = new FileOutputStream(fresh.toFile())) {
            file.write(JSON.writeValueAsBytes(state));
            file.getFD().sync();
        }
        Files.move(fresh, path.resolve(STATE), StandardCopyOption.ATOMIC_MOVE);
        stack.write(
                state.components().stream()
                        .flatMap(each -> each.component().bootstrap().stream())
                        .collect(Collectors.joining(",")),
                state.find("prometheus").map(each -> each.component().url()).orElse(""));
    }

    /**
     * Renames the log of the run before to {@code .1}; it replaces the one of an earlier run.
     *
     * @throws IOException when the files cannot be moved
     */
    Path freshLog(String component) throws IOException {
        Path log = log(component);
        Files.createDirectories(log.getParent());
        if (Files.exists(log)) {
            Path before = log.resolveSibling(log.getFileName() + ".1");
            Files.move(log, before, StandardCopyOption.REPLACE_EXISTING);
        }
        return log;
    }

    /**
     * Removes all files of stacks, and the directory itself when nothing else is in it.
     *
     * @return files that no stack made, which stay
     * @throws UsageException when it is no stack's directory
     * @throws IOException when something cannot be removed
     */
    public List<Path> purge() throws IOException {
        if (!isOurs()) {
            throw new UsageException(
                    "--purge: %s is not the state directory of a stack (no %s in it); nothing was removed"
                            .formatted(path, LocalStack.MARKER));
        }
        List<String> ours = new ArrayList<>(StackPorts.names());
        ours.addAll(List.of("cluster.id", LocalStack.ADDRESSES, "logs", STATE, STATE + ".new", LOCK));
        // Last: while it exists, purging can be tried again.
        ours.add(LocalStack.MARKER);
        for (String entry : ours) {
            FileTree.delete(path.resolve(entry));
        }
        List<Path> left = entries();
        if (left.isEmpty()) {
            Files.delete(path);
        }
        return left;
    }
}
