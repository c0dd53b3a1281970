/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.cli;

import java.util.regex.Pattern;

/** Words of command lines that people are told to run. */
public final class ShellWord {

    /** Characters that no shell treats specially. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+:,./=-]+");

    private ShellWord() {}

    /** A word as a POSIX shell takes it literally. */
    public static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
