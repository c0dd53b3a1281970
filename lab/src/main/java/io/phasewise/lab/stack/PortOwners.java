/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out which process holds a TCP port, from the kernel's tables under /proc. Sees the
 * processes of this user only (of all users, when root), and nothing at all on systems without
 * /proc.
 */
final class PortOwners {

    private static final String LISTEN = "0A";

    /**
     * A process that holds a port.
     *
     * @param name for people: the program, for Java with its main class or jar
     */
    record Owner(long pid, String name) {}

    private final Path proc;

    /**
     * @param proc where the kernel's tables are: /proc
     */
    PortOwners(Path proc) {
        this.proc = proc;
    }

    /**
     * Looks the owner of a port up.
     *
     * @param port 1 to 65535
     * @return empty when no visible process holds it
     */
    Optional<Owner> of(int port) {
        Set<String> sockets = new HashSet<>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            sockets.addAll(socketsOn(port, lines(proc.resolve(table))));
        }
        return sockets.isEmpty() ? Optional.empty() : holderOf(sockets);
    }

    /** The inodes of the sockets that listen on the port, else of any that use it as their own. */
    static List<String> socketsOn(int port, List<String> table) {
        List<String> listening = new ArrayList<>();
        List<String> other = new ArrayList<>();
        for (String line : table) {
            // sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout
            // inode
            String[] columns = line.strip().split("\\s+");
            if (columns.length < 10 || !columns[1].endsWith(String.format(":%04X", port))) {
                continue;
            }
            // Sockets that nobody holds any more (TIME_WAIT) have inode 0.
            if (!columns[9].equals("0")) {
                (columns[3].equals(LISTEN) ? listening : other).add("socket:[" + columns[9] + "]");
            }
        }
        return listening.isEmpty() ? other : listening;
    }

    private Optional<Owner> holderOf(Set<String> sockets) {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                if (holdsOneOf(sockets, process)) {
                    return Optional.of(
                            new Owner(
                                    Long.parseLong(process.getFileName().toString()),
                                    name(process)));
                }
            }
        } catch (IOException noProc) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    private static boolean holdsOneOf(Set<String> sockets, Path process) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                if (sockets.contains(target(descriptor))) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException anotherUsersOrGone) {
            return false;
        }
        return false;
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }

    private static String name(Path process) {
        String command = String.join("", lines(process.resolve("comm")));
        String[] arguments = read(process.resolve("cmdline")).split("\0");
        return describe(command, List.of(arguments));
    }

    /** "java" alone says little: the main class or the jar does. */
    static String describe(String command, List<String> arguments) {
        if (!command.equals("java")) {
            return command.isEmpty() ? "?" : command;
        }
        for (int i = 1; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("-jar") && i + 1 < arguments.size()) {
                Path jar = Path.of(arguments.get(i + 1)).getFileName();
                return jar == null ? command : command + ", " + jar;
            }
            if (argument.equals("-cp") || argument.equals("-classpath") || argument.equals("-p")) {
                i++;
            } else if (!argument.startsWith("-")) {
                return command + ", " + argument;
            }
        }
        return command;
    }

    private static List<String> lines(Path file) {
        return read(file).lines().toList();
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException gone) {
            return "";
        }
    }
}
