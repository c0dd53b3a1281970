/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.stack;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The state directory of a local stack, as far as commands need it that are not the launcher's own:
 * whether it is one, where its servers are reached, and the file that pauses its canary.
 */
public final class LocalStack {

    /** The file by which a state directory is known. */
    public static final String MARKER = ".phasewise-state";

    /** The file with the addresses, in the format of a client's properties. */
    public static final String ADDRESSES = "addresses.properties";

    private static final String VARIABLE = "PHASEWISE_STATE_DIR";
    private static final String BOOTSTRAP = "bootstrap.servers";
    private static final String PROMETHEUS = "prometheus";

    private final Path directory;

    /**
     * @param directory need not exist
     */
    public LocalStack(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
    }

    /**
     * Which stack is meant.
     *
     * @param said by an option; null if not
     * @param base of the default, {@code .phasewise}
     * @param workingDirectory of relative paths that somebody said
     */
    public static LocalStack of(Path said, Map<String, String> environment, Path base, Path workingDirectory) {
        String variable = environment.getOrDefault(VARIABLE, "");
        if (said != null) {
            return new LocalStack(workingDirectory.resolve(said));
        }
        return new LocalStack(variable.isEmpty() ? base.resolve(".phasewise") : workingDirectory.resolve(variable));
    }

    /** Absolute. */
    public Path directory() {
        return directory;
    }

    /** Whether a stack has ever been started here. */
    public boolean exists() {
        return Files.isRegularFile(directory.resolve(MARKER), LinkOption.NOFOLLOW_LINKS);
    }

    /** While it is there, the canary sends nothing. */
    public Path pauseFile() {
        return directory.resolve("canary").resolve("paused");
    }

    /**
     * The brokers' addresses, for clients; empty when none runs.
     *
     * @throws IOException when the file cannot be read
     */
    public Optional<String> bootstrap() throws IOException {
        return address(BOOTSTRAP);
    }

    /**
     * The URL of its Prometheus; empty when none runs.
     *
     * @throws IOException when the file cannot be read
     */
    public Optional<String> prometheus() throws IOException {
        return address(PROMETHEUS);
    }

    /**
     * Replaces the addresses.
     *
     * @param bootstrap host:port, with commas between; empty when no broker runs
     * @param prometheus a URL, empty when none runs
     * @throws IOException when they cannot be written
     */
    public void write(String bootstrap, String prometheus) throws IOException {
        Properties addresses = new Properties();
        addresses.put(BOOTSTRAP, bootstrap);
        addresses.put(PROMETHEUS, prometheus);
        // Not through a channel, which a thread that is being interrupted could not write to.
        try (OutputStream file =
                new FileOutputStream(directory.resolve(ADDRESSES).toFile())) {
            addresses.store(file, null);
        }
    }

    private Optional<String> address(String key) throws IOException {
        Properties addresses = new Properties();
        try (Reader file = Files.newBufferedReader(directory.resolve(ADDRESSES))) {
            addresses.load(file);
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
        return Optional.of(addresses.getProperty(key, "")).filter(value -> !value.isEmpty());
    }
}
