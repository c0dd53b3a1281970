/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import java.util.Locale;

/**
 * Builds one SVG element; coordinates in pixels from the upper left corner. Colours are classes of
 * the page's style sheet.
 */
final class Svg {

    private final StringBuilder text = new StringBuilder();

    Svg(int width, int height) {
        add(
                "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"presentation\""
                        + " focusable=\"false\">",
                width, height, width, height);
    }

    Svg line(String style, double x1, double y1, double x2, double y2) {
        return add(
                "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                style, x1, y1, x2, y2);
    }

    Svg box(String style, double x, double y, double width, double height) {
        return add(
                "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                style, x, y, width, height);
    }

    /** A box whose darkness tells a value. */
    Svg shade(double x, double y, double width, double height, double darkness) {
        return add(
                "<rect class=\"shade\" fill-opacity=\"%.2f\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\""
                        + " height=\"%.1f\"/>",
                darkness, x, y, width, height);
    }

    Svg dot(String style, double x, double y, double radius) {
        return add(
                "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", style, x, y, radius);
    }

    /** A line through points; x and y by turns. */
    Svg path(String style, double... points) {
        StringBuilder steps = new StringBuilder();
        for (int i = 0; i + 1 < points.length; i += 2) {
            steps.append(
                    String.format(
                            Locale.ROOT,
                            "%s%.1f %.1f",
                            i == 0 ? "M" : " L",
                            points[i],
                            points[i + 1]));
        }
        return add("<path class=\"%s\" d=\"%s\"/>", style, steps);
    }

    /**
     * Text.
     *
     * @param anchor start, middle or end
     */
    Svg label(String style, String anchor, double x, double y, String words) {
        return add(
                "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>",
                style, anchor, x, y, Html.escaped(words));
    }

    @Override
    public String toString() {
        return text + "</svg>";
    }

    private Svg add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
        return this;
    }
}
