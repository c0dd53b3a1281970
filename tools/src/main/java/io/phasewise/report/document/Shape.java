/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.document;

import java.util.List;

/**
 * A part of a figure. Places are in pixels from the upper left corner.
 *
 * <p>A style is one or more classes of the style sheet, with spaces between.
 */
public sealed interface Shape {

    /** Has a writer write it. */
    void to(Writer writer);

    /** Writes each kind of shape. */
    interface Writer {

        void line(Line line);

        void box(Box box);

        void dot(Dot dot);

        void path(Path path);

        void label(Label label);
    }

    /** A place. */
    record Point(double x, double y) {}

    /** A straight line. */
    record Line(String style, Point from, Point to) implements Shape {
        @Override
        public void to(Writer writer) {
            writer.line(this);
        }
    }

    /**
     * A rectangle.
     *
     * @param corner its upper left one
     */
    record Box(String style, Point corner, double width, double height) implements Shape {
        @Override
        public void to(Writer writer) {
            writer.box(this);
        }
    }

    /** A disc. */
    record Dot(String style, Point centre, double radius) implements Shape {
        @Override
        public void to(Writer writer) {
            writer.dot(this);
        }
    }

    /** A line through points. */
    record Path(String style, List<Point> points) implements Shape {
        @Override
        public void to(Writer writer) {
            writer.path(this);
        }
    }

    /**
     * Words.
     *
     * @param anchor which part of them is at the place
     * @param at on the line that they stand on
     */
    record Label(String style, Anchor anchor, Point at, String words) implements Shape {
        @Override
        public void to(Writer writer) {
            writer.label(this);
        }
    }

    /** A part of a label. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }
}
