/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.file;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.stream.Stream;

/** Removes and copies whole directories, and replaces a file in one step. */
public final class FileTree {

    private FileTree() {}

    /**
     * Removes a directory or file with all that is in it. Links are removed, not followed. Does
     * nothing when it is absent.
     *
     * @throws IOException when something cannot be removed
     */
    public static void delete(Path tree) throws IOException {
        if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /**
     * Makes one directory a copy of another; what was in it before is removed. Links are followed.
     *
     * @param from may be absent; then there is no copy
     * @throws IOException when something cannot be read or written
     */
    public static void mirror(Path from, Path to) throws IOException {
        delete(to);
        if (!Files.isDirectory(from)) {
            return;
        }
        try (Stream<Path> files = Files.walk(from, FileVisitOption.FOLLOW_LINKS)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
    }

    /**
     * Replaces a file in one step: a reader sees the whole old content or the whole new one, also
     * after a failure.
     *
     * @throws IOException when it cannot be written; then the old content stays
     */
    public static void replace(Path file, String content) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(fresh, content);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }
}
