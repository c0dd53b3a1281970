/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** Which Phasewise and which Kafka client a figure was made with. */
public final class Build {
    private Build() {}

    /**
     * The commit that is checked out, with "changed" after it where files differ from it.
     *
     * @param root the repository's
     * @return "not a checkout" where there is no repository, or no git
     */
    public static String commit(Path root) throws InterruptedException {
        if (!Files.exists(root.resolve(".git"))) {
            return "not a checkout";
        }
        try {
            String commit = git(root, "rev-parse", "HEAD");
            boolean changed = !git(root, "status", "--porcelain", "--untracked-files=no").isEmpty();
            return commit + (changed ? ", changed" : "");
        } catch (IOException noGit) {
            return "not a checkout";
        }
    }

    private static String git(Path root, String... arguments)
            throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 3];
        command[0] = "git";
        command[1] = "-C";
        command[2] = root.toString();
        System.arraycopy(arguments, 0, command, 3, arguments.length);
        Process process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .redirectOutput(ProcessBuilder.Redirect.PIPE)
                        .start();
        String answer =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException("git " + String.join(" ", arguments) + " failed");
        }
        return answer;
    }

    /** The version of kafka-clients, as its jar says. */
    public static String clients() {
        Properties version = new Properties();
        try (InputStream in = Build.class.getResourceAsStream("/kafka/kafka-version.properties")) {
            version.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return version.getProperty("version");
    }
}
