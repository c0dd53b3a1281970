/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.net;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The ports of a process's TCP sockets at its own end, as Linux has them in {@code /proc}. */
public final class ProcessPorts {
    private static final int HEX = 16;
    private static final String SOCKET = "socket:[";

    private ProcessPorts() {}

    /**
     * The ports at this moment, of connections and of what listens.
     *
     * @throws IOException when the process cannot be looked into
     */
    public static Set<Integer> of(long pid) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        Map<String, Integer> all = byInode(Files.readAllLines(process.resolve("net/tcp")));
        Path sixth = process.resolve("net/tcp6");
        if (Files.exists(sixth)) {
            all.putAll(byInode(Files.readAllLines(sixth)));
        }
        Set<Integer> ports = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path file : files) {
                String inode = inode(file);
                if (all.containsKey(inode)) {
                    ports.add(all.get(inode));
                }
            }
        }
        return ports;
    }

    /** Empty where an open file is no socket, or was closed just now. */
    private static String inode(Path file) throws IOException {
        try {
            String target = Files.readSymbolicLink(file).toString();
            return target.startsWith(SOCKET) ? target.substring(SOCKET.length(), target.length() - 1) : "";
        } catch (NoSuchFileException closed) {
            return "";
        }
    }

    /**
     * Local ports by the socket's inode.
     *
     * @param lines of {@code /proc/net/tcp}: a heading, then number, local address, and so on; the tenth word is the
     *     inode
     */
    static Map<String, Integer> byInode(List<String> lines) {
        Map<String, Integer> ports = new HashMap<>();
        for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            String[] words = line.strip().split("\\s+");
            String local = words[1];
            ports.put(words[9], Integer.parseInt(local.substring(local.indexOf(':') + 1), HEX));
        }
        return ports;
    }
}
