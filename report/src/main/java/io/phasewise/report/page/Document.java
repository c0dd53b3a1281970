/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import java.util.List;

/**
 * A report as people read it, in whichever format.
 *
 * @param title of the whole
 * @param subtitle what it is about and when it was made
 * @param verdict a few lines that say all
 * @param sections in their order
 */
record Document(String title, String subtitle, List<Line> verdict, List<Section> sections) {

    /** How a line of the verdict is meant. */
    enum Mood {
        GOOD,
        BAD,
        PLAIN
    }

    /**
     * One line of the verdict.
     *
     * @param about in a word or two
     */
    record Line(String about, String text, Mood mood) {}

    record Section(String id, String title, List<Part> parts) {}

    /** What sections are made of. */
    sealed interface Part permits Text, Warning, Table, Figure {}

    record Text(String text) implements Part {}

    /** Something that a reader must know before relying on what stands beside it. */
    record Warning(String text) implements Part {}

    /**
     * A table.
     *
     * @param head of each column; the first column names the row
     * @param rows as many cells as the head has; all but the first are set as numbers
     */
    record Table(String caption, List<String> head, List<List<String>> rows) implements Part {}

    /**
     * A chart.
     *
     * @param caption what it shows
     * @param alternative what it shows, in words, for who cannot see it
     * @param svg the drawing, an element of its own
     */
    record Figure(String caption, String alternative, String svg) implements Part {}
}
