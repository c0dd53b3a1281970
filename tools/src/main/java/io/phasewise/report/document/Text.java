/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.document;

import java.util.ArrayList;
import java.util.List;

/** Words of a paragraph or a note, in which something is to be typed as it stands. */
public record Text(List<Span> spans) {

    /** A part of a text. */
    public sealed interface Span {}

    /** Words. */
    public record Words(String words) implements Span {}

    /** What is typed as it stands: an option, the name of a job. It holds no backtick. */
    public record Code(String code) implements Span {}

    public static Text of(String words) {
        return new Text(List.of(new Words(words)));
    }

    /** The same with words after it. */
    public Text words(String words) {
        return and(new Words(words));
    }

    /** The same with code after it. */
    public Text code(String code) {
        return and(new Code(code));
    }

    private Text and(Span span) {
        List<Span> all = new ArrayList<>(spans);
        all.add(span);
        return new Text(List.copyOf(all));
    }
}
