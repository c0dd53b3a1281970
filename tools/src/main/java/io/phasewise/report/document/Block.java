/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.document;

import java.util.List;

/**
 * What stands below a heading. All text is plain: a writer escapes it. A no-break space between a
 * number and its unit keeps them on one line where lines wrap.
 */
public sealed interface Block permits Block.Paragraph, Block.Note, Block.Findings, Block.Figure, Table {

    /** Sentences. */
    record Paragraph(Text text) implements Block {

        public Paragraph(String text) {
            this(Text.of(text));
        }
    }

    /** What a reader must know before believing the figures around it. */
    record Note(Text text) implements Block {

        public Note(String text) {
            this(Text.of(text));
        }
    }

    /** The findings of a verdict. */
    record Findings(List<Finding> all) implements Block {}

    /**
     * One line of the verdict.
     *
     * @param subject what it is about, in a word or two
     */
    record Finding(String subject, Mood mood, String text) {}

    /** Whether a finding is good news, bad news or neither. */
    enum Mood {
        GOOD,
        BAD,
        NEITHER
    }

    /**
     * A drawing. All that it shows also stands in tables, so Markdown goes without it.
     *
     * @param caption what it shows
     * @param alternative how it shows it, in words, for readers who cannot see it
     * @param width in pixels
     * @param height in pixels
     * @param shapes a later one lies above an earlier one
     */
    record Figure(String caption, String alternative, int width, int height, List<Shape> shapes) implements Block {}
}
