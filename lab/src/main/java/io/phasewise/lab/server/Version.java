/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import io.phasewise.lab.process.CommandOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A release number, without the suffixes of packagers and release candidates.
 */
public record Version(int major, int minor, int patch) {

    private static final Pattern IN_TEXT =
            Pattern.compile("version:? v?(\\d{1,9})\\.(\\d{1,9})(?:\\.(\\d{1,9}))?", Pattern.CASE_INSENSITIVE);

    private static final Duration ASKING_BOUND = Duration.ofSeconds(20);

    /**
     * Finds the version in what a program prints for {@code --version}.
     *
     * @param text for instance {@code prometheus, version 2.42.0+ds (branch: ...)}
     * @return empty when there is none
     */
    public static Optional<Version> inText(String text) {
        Matcher matcher = IN_TEXT.matcher(text);
        if (!matcher.find()) {
            return Optional.empty();
        }
        String patch = matcher.group(3);
        return Optional.of(new Version(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                patch == null ? 0 : Integer.parseInt(patch)));
    }

    /**
     * Asks a program for its version.
     *
     * @throws IOException when it does not run, prints no version, or is older; the message
     *     says which
     * @throws InterruptedException when interrupted
     */
    static Version of(Path program, Version minimum) throws IOException, InterruptedException {
        CommandOutput said = CommandOutput.of(List.of(program.toString(), "--version"), null, ASKING_BOUND);
        Version version = Optional.of(said)
                .filter(output -> output.status() == 0)
                .flatMap(output -> inText(output.text()))
                .orElseThrow(() -> new IOException(program + " does not say its version"));
        if (!version.isAtLeast(minimum)) {
            throw new IOException("%s is %s, older than %s".formatted(program, version, minimum));
        }
        return version;
    }

    /** Whether this is the other version or a later one. */
    public boolean isAtLeast(Version other) {
        return Arrays.compare(numbers(), other.numbers()) >= 0;
    }

    private int[] numbers() {
        return new int[] {major, minor, patch};
    }

    /** All three numbers, for instance {@code 3.8.0}. */
    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
