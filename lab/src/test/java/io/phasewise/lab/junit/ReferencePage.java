/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A page of {@code docs/reference} or {@code docs/evidence}, which a test makes from the product or
 * from kept runs. The test fails when the committed page differs. {@code docs/generate} runs the same tests to write the pages.
 */
public final class ReferencePage {
    /** Set by {@code docs/generate}. */
    private static final boolean WRITES = Boolean.getBoolean("phasewise.reference.write");

    private final Path file;

    /**
     * @param name of the page, as seen from {@code docs/reference}: {@code canary-metrics.md}
     */
    public ReferencePage(String name) {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("docs/reference"))) {
            root = root.getParent();
        }
        this.file = root.resolve("docs/reference").resolve(name);
    }

    /** A row of a table, with a line break at its end. */
    public static String row(String... cells) {
        StringBuilder row = new StringBuilder("|");
        for (String cell : cells) {
            row.append(' ').append(cell.replace("|", "\\|").strip()).append(" |");
        }
        return row.append('\n').toString();
    }

    /** The headings of a table. */
    public static String headings(String... names) {
        return row(names) + "|" + "---|".repeat(names.length) + "\n";
    }

    /**
     * Checks that this text is the whole page.
     *
     * @throws AssertionError when it is not
     * @throws IOException when the page cannot be read or written
     */
    public void holds(String text) throws IOException {
        if (WRITES) {
            Files.writeString(file, text);
        } else if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            throw new AssertionError(file + " is out of date; run docs/generate");
        }
    }

    /**
     * Checks that this text is a part of the page, between two comments that name the part: for a
     * page that several modules contribute to.
     *
     * @throws AssertionError when it is not
     * @throws IOException when the page cannot be read or written
     */
    public void holds(String part, String text) throws IOException {
        String begin = "<!-- " + part + " -->\n";
        String end = "<!-- end of " + part + " -->";
        String page = Files.readString(file);
        int from = page.indexOf(begin);
        int to = page.indexOf(end);
        if (from < 0 || to < 0) {
            throw new AssertionError(file + " lacks " + begin.strip() + " or " + end);
        }
        holds(page.substring(0, from + begin.length()) + text + page.substring(to));
    }
}
