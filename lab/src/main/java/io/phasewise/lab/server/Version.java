/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A release number. Suffixes that packagers and release candidates add are left out: they say
 * nothing about what a server can do.
 */
public record Version(int major, int minor, int patch) implements Comparable<Version> {

    private static final Pattern IN_TEXT =
            Pattern.compile(
                    "version:? v?(\\d{1,9})\\.(\\d{1,9})(?:\\.(\\d{1,9}))?",
                    Pattern.CASE_INSENSITIVE);

    private static final Comparator<Version> ORDER =
            Comparator.comparingInt(Version::major)
                    .thenComparingInt(Version::minor)
                    .thenComparingInt(Version::patch);

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
        return Optional.of(
                new Version(
                        Integer.parseInt(matcher.group(1)),
                        Integer.parseInt(matcher.group(2)),
                        patch == null ? 0 : Integer.parseInt(patch)));
    }

    /** Whether this is the other version or a later one. */
    public boolean isAtLeast(Version other) {
        return compareTo(other) >= 0;
    }

    @Override
    public int compareTo(Version other) {
        return ORDER.compare(this, other);
    }

    /** All three numbers, for instance {@code 3.8.0}. */
    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
