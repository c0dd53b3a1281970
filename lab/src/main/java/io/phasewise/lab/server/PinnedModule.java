/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a go.mod says about the server it pins: release and the commands to build. The only place
 * versions of built servers are written down is that file.
 *
 * @param release of the server
 * @param commands Go packages of the programs, in the file's order
 * @param digest the first eight hexadecimal digits of the file's SHA-256: with another dependency
 *     of the same release it is another program
 */
record PinnedModule(Version release, List<String> commands, String digest) {
    private static final int DIGEST_BYTES = 4;

    private static final Pattern TOOL_BLOCK = Pattern.compile("(?ms)^tool \\((.*?)^\\)");
    private static final Pattern TOOL_LINE = Pattern.compile("(?m)^tool (\\S+)$");

    /**
     * Reads a go.mod.
     *
     * @throws IOException when it cannot be read, or does not pin the server
     */
    static PinnedModule read(Path file, ServerKind kind) throws IOException {
        return parse(Files.readString(file), kind, file.toString());
    }

    static PinnedModule parse(String text, ServerKind kind, String source) throws IOException {
        Matcher required =
                Pattern.compile(
                                "(?m)^\\s*(?:require )?"
                                        + Pattern.quote(kind.module())
                                        + " v(\\d+\\.\\d+\\.\\d+)")
                        .matcher(text);
        List<String> commands = new ArrayList<>();
        Matcher block = TOOL_BLOCK.matcher(text);
        while (block.find()) {
            block.group(1)
                    .lines()
                    .map(String::strip)
                    .filter(l -> !l.isEmpty())
                    .forEach(commands::add);
        }
        Matcher line = TOOL_LINE.matcher(text);
        while (line.find()) {
            commands.add(line.group(1));
        }
        commands.removeIf(command -> !(command + "/").startsWith(kind.module() + "/"));
        if (!required.find() || commands.isEmpty()) {
            throw new IOException(source + " does not pin " + kind.module() + " and its commands");
        }
        Version module =
                Version.inText("version " + required.group(1))
                        .orElseThrow(() -> new IOException(source + ": " + required.group()));
        return new PinnedModule(kind.release(module), List.copyOf(commands), digest(text));
    }

    private static String digest(String text) {
        try {
            byte[] sha =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sha, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
