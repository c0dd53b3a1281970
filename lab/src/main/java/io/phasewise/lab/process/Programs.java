/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Finds programs on the search path, as a shell does, and puts commands together. */
public final class Programs {

    private Programs() {}

    /** The java program of the JVM that runs this. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /**
     * A command that runs a jar on the same java.
     *
     * @param options of the JVM, for instance for heap and collector
     */
    public static List<String> jar(List<String> options, Path jar, List<String> arguments) {
        return jar(java(), options, jar, arguments);
    }

    /** The same on another java, the program itself. */
    public static List<String> jar(String java, List<String> options, Path jar, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(options);
        command.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-Djava.awt.headless=true", "-jar"));
        command.add(jar.toString());
        command.addAll(arguments);
        return command;
    }

    /**
     * Looks a program up.
     *
     * @param name its file name, without a directory
     * @param path the search path; null: nothing is found
     */
    public static Optional<Path> find(String name, String path) {
        if (path == null) {
            return Optional.empty();
        }
        return Arrays.stream(path.split(File.pathSeparator))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    /**
     * The command, run in a session of its own and with the same pid, where the program setsid is
     * installed; otherwise the command as it is.
     */
    public static List<String> inOwnSession(List<String> command) {
        List<String> own = new ArrayList<>(command);
        find("setsid", System.getenv("PATH")).ifPresent(setsid -> own.add(0, setsid.toString()));
        return own;
    }
}
