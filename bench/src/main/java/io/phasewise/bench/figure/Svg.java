/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.figure;

import java.util.Locale;

/**
 * Collects the elements of one drawing. It lies on a light card of its own, so that it reads the
 * same on a white and on a dark page.
 */
final class Svg {
    static final String INK = "#1f2328";
    static final String FAINT = "#59636e";
    static final String LINE = "#818b98";
    private static final int ROUNDING = 8;

    private final StringBuilder body = new StringBuilder();
    private final int width;
    private final int height;
    private final String title;

    /**
     * @param title what a reader who cannot see it should know
     */
    Svg(int width, int height, String title) {
        this.width = width;
        this.height = height;
        this.title = title;
    }

    Svg box(double x, double y, double w, double h, String fill) {
        return add(
                "<rect x='%s' y='%s' width='%s' height='%s' fill='%s'/>",
                n(x), n(y), n(w), n(h), fill);
    }

    /** An outlined box. */
    Svg frame(double x, double y, double w, double h, String fill) {
        return add(
                "<rect x='%s' y='%s' width='%s' height='%s' rx='3' fill='%s' stroke='%s'/>",
                n(x), n(y), n(w), n(h), fill, LINE);
    }

    Svg line(double x1, double y1, double x2, double y2, String colour, String more) {
        return add(
                "<line x1='%s' y1='%s' x2='%s' y2='%s' stroke='%s' %s/>",
                n(x1), n(y1), n(x2), n(y2), colour, more);
    }

    /** A line with a head at its second end. */
    Svg arrow(double x1, double y1, double x2, double y2, String more) {
        return line(x1, y1, x2, y2, INK, "marker-end='url(#head)' " + more);
    }

    Svg dot(double x, double y) {
        return add("<circle cx='%s' cy='%s' r='4.5' fill='%s'/>", n(x), n(y), INK);
    }

    /**
     * @param anchor start, middle or end
     */
    Svg text(double x, double y, String anchor, String more, String content) {
        return add(
                "<text x='%s' y='%s' text-anchor='%s' %s>%s</text>",
                n(x), n(y), anchor, more, escaped(content));
    }

    private Svg add(String format, Object... values) {
        body.append("  ").append(String.format(Locale.ROOT, format, values)).append('\n');
        return this;
    }

    private static String n(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    private static String escaped(String content) {
        return content.replace("&", "&amp;").replace("<", "&lt;");
    }

    /** The finished file. */
    String file() {
        return """
        <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %1$d %2$d' width='%1$d' height='%2$d' \
        font-family='Helvetica, Arial, DejaVu Sans, sans-serif' font-size='13' fill='%5$s' role='img'>
          <title>%3$s</title>
          <defs><marker id='head' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='8' markerHeight='8' \
        orient='auto' markerUnits='userSpaceOnUse'><path d='M0 0L8 4L0 8z' fill='%5$s'/></marker></defs>
          <rect x='0.5' y='0.5' width='%6$d' height='%7$d' rx='%8$d' fill='#ffffff' stroke='#d1d9e0'/>
        %4$s</svg>
        """
                .formatted(
                        width, height, escaped(title), body, INK, width - 1, height - 1, ROUNDING);
    }
}
