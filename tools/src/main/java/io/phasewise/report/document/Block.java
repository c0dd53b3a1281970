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
public sealed interface Block {

    /** Has a writer write it. */
    void to(Writer writer);

    /** Writes each kind of block. */
    interface Writer {

        void paragraph(Paragraph paragraph);

        void note(Note note);

        void findings(Findings findings);

        void table(Table table);

        void figure(Figure figure);
    }

    /** Sentences. */
    record Paragraph(Text text) implements Block {

        public Paragraph(String text) {
            this(Text.of(text));
        }

        @Override
        public void to(Writer writer) {
            writer.paragraph(this);
        }
    }

    /** What must be known before the figures around it are believed. */
    record Note(Text text) implements Block {

        public Note(String text) {
            this(Text.of(text));
        }

        @Override
        public void to(Writer writer) {
            writer.note(this);
        }
    }

    /** The findings of a verdict. */
    record Findings(List<Finding> all) implements Block {
        @Override
        public void to(Writer writer) {
            writer.findings(this);
        }
    }

    /**
     * One line of the verdict.
     *
     * @param subject what it is about, in a word or two
     */
    record Finding(String subject, Mood mood, String text) {}

    /** How a finding is meant. */
    enum Mood {
        GOOD,
        BAD,
        NEITHER
    }

    /**
     * A table. The first cell of a row says what the row is of. {@link TableBuilder} makes one.
     *
     * @param rows each with as many cells as there are columns
     */
    record Table(String caption, List<Column> columns, List<List<Value>> rows) implements Block {
        @Override
        public void to(Writer writer) {
            writer.table(this);
        }
    }

    /**
     * A column of a table.
     *
     * @param numbers whether it holds numbers, which stand to the right, and whose intervals stand
     *     apart from them
     */
    record Column(String name, boolean numbers) {}

    /**
     * A drawing. All it shows also stands in tables, so Markdown goes without it.
     *
     * @param caption what it shows
     * @param alternative how it shows it, in words, for who cannot see it
     * @param width in pixels, as all lengths and places of its shapes
     * @param shapes those that are given later lie above
     */
    record Figure(String caption, String alternative, int width, int height, List<Shape> shapes) implements Block {
        @Override
        public void to(Writer writer) {
            writer.figure(this);
        }
    }
}
