/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.document;

import java.util.List;
import java.util.stream.Stream;

/** The text of a paragraph or a note, parts of which are to be typed exactly as they stand. */
public record Text(List<Span> spans) {

    /**
     * A part of a text.
     *
     * @param code whether it is to be typed exactly as it stands, such as an option or the name of a
     *     job; it then holds no backtick
     */
    public record Span(String words, boolean code) {}

    public static Text of(String words) {
        return new Text(List.of(new Span(words, false)));
    }

    /** The same with words after it. */
    public Text words(String words) {
        return and(new Span(words, false));
    }

    /** The same with code after it. */
    public Text code(String code) {
        return and(new Span(code, true));
    }

    private Text and(Span span) {
        return new Text(Stream.concat(spans.stream(), Stream.of(span)).toList());
    }
}
