/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.jcajce.provider.digest.SHA256;

/**
 * What a go.mod says about the server that it pins. Versions of built servers are written only
 * there.
 *
 * @param release of the server
 * @param commands Go packages of the programs, in the file's order
 * @param digest the first eight hexadecimal digits of the file's SHA-256, as the same release
 *     with other dependencies is another program
 */
record PinnedModule(Version release, List<String> commands, String digest) {
    private static final int DIGEST_BYTES = 4;

    /**
     * Reads a go.mod.
     *
     * @throws IOException when it cannot be read, or does not pin the server
     */
    static PinnedModule read(Path file, ServerKind kind) throws IOException {
        return parse(Files.readString(file), kind, file.toString());
    }

    static PinnedModule parse(String text, ServerKind kind, String source) throws IOException {
        String module = Pattern.quote(kind.module());
        Matcher required = Pattern.compile("(?m)^\\s*(?:require )?" + module + " v([\\d.]+)")
                .matcher(text);
        List<String> commands = Pattern.compile("(?m)^(?:tool |\t)(" + module + "(?:/\\S+)?)$")
                .matcher(text)
                .results()
                .map(command -> command.group(1))
                .toList();
        if (!required.find() || commands.isEmpty()) {
            throw new IOException(source + " does not pin " + kind.module() + " and its commands");
        }
        Version version = Version.inText("version " + required.group(1)).orElseThrow();
        byte[] digest = new SHA256.Digest().digest(text.getBytes(StandardCharsets.UTF_8));
        return new PinnedModule(release(version), commands, HexFormat.of().formatHex(digest, 0, DIGEST_BYTES));
    }

    /**
     * The release for a version of a module. Prometheus 3.15.0 has the module version 0.315.0, as a
     * module with a major version above 1 would need another path.
     */
    private static Version release(Version module) {
        return module.major() == 0 && module.minor() >= 300
                ? new Version(module.minor() / 100, module.minor() % 100, module.patch())
                : module;
    }
}
