/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.document;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A part of a figure: an element of SVG. Places and lengths are in pixels, places from the upper
 * left corner.
 *
 * @param element its name in SVG
 * @param attributes in the order in which they are written
 * @param words what a text says; empty for every other element
 */
public record Shape(String element, Map<String, String> attributes, String words) {

    /**
     * A shape without attributes but for its style.
     *
     * @param style one or more classes of the style sheet, with spaces between
     */
    public static Shape of(String element, String style) {
        return new Shape(element, Map.of("class", style), "");
    }

    /** The same with one more attribute. */
    public Shape with(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(attributes);
        all.put(name, value);
        return new Shape(element, all, words);
    }

    /** The same with one more place or length. */
    public Shape with(String name, double pixels) {
        return with(name, pixels(pixels));
    }

    /** The same with words; they stand at its place. */
    public Shape saying(String text) {
        return new Shape(element, attributes, text);
    }

    /** A place or a length as SVG has it. */
    public static String pixels(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
