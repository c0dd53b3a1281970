/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import io.phasewise.lab.file.FileTree;
import io.phasewise.lab.file.LockFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Where servers are kept that were downloaded or built: each of them whole or not at all. How one
 * is made is left to the caller; two that want the same one at the same time, in one process or
 * several, make it once.
 */
final class ServerCache {

    private static final String UNFINISHED = ".new-";
    private static final String PARTIAL = ".part";
    private static final Duration LOCK_BOUND = Duration.ofMinutes(55);

    private final Path directory;

    /** Makes one. */
    @FunctionalInterface
    interface Maker {
        /**
         * @param into an empty directory
         * @throws InterruptedException when interrupted; it is abandoned and leaves nothing behind
         */
        void make(Path into) throws IOException, InterruptedException;
    }

    /**
     * @param cache for instance {@code ~/.cache/phasewise}; need not exist
     */
    ServerCache(Path cache) {
        this.directory = cache.resolve("servers");
    }

    /**
     * This user's: {@code $XDG_CACHE_HOME/phasewise} or {@code ~/.cache/phasewise}.
     *
     * @param environment the process's environment
     */
    static ServerCache forUser(Map<String, String> environment) {
        String configured = environment.get("XDG_CACHE_HOME");
        Path base = configured == null || configured.isBlank()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(configured);
        return new ServerCache(base.resolve("phasewise"));
    }

    /** Where one lies once it is made. */
    Path home(String name) {
        return directory.resolve(name);
    }

    /**
     * Makes one, unless another one has meanwhile.
     *
     * @param program what messages call it
     * @param there whether it lies in its home
     * @throws IOException when it cannot be made, or is not there afterwards
     */
    void make(String name, String program, There there, Consumer<String> progress, Maker maker)
            throws IOException, InterruptedException {
        Path home = home(name);
        Files.createDirectories(directory);
        Optional<LockFile> lock = LockFile.take(
                home.resolveSibling(name + ".lock"),
                LOCK_BOUND,
                () -> progress.accept("another launcher is getting it"));
        if (lock.isEmpty()) {
            throw new IOException("another launcher that gets " + program + " did not end in time");
        }
        try (LockFile held = lock.get()) {
            if (there.isThere()) {
                return;
            }
            // Whoever made these was killed: the lock is ours now.
            for (Path abandoned : unfinished(name)) {
                FileTree.delete(abandoned);
            }
            Path making = Files.createTempDirectory(directory, name + UNFINISHED);
            try {
                maker.make(making);
                // What an interrupted build of an earlier release of this program may have left.
                FileTree.delete(home);
                Files.move(making, home, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                FileTree.delete(making);
            }
            if (!there.isThere()) {
                throw new IOException("what was made holds no " + program);
            }
        }
    }

    /** Where what came of a download is kept until it is whole. */
    Path partial(PinnedRelease release) {
        return directory.resolve(release.archive() + PARTIAL);
    }

    /** Removes what came of downloads of a program, of any release, once it is not needed. */
    void forgetPartial(String program) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.startsWith(program + "-") && name.endsWith(PARTIAL)) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Whether something is where it should be. */
    @FunctionalInterface
    interface There {
        boolean isThere();
    }

    private List<Path> unfinished(String name) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith(name + UNFINISHED))
                    .toList();
        }
    }
}
