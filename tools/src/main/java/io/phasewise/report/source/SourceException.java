/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.source;

/** The server could not be read; the message says for people what failed. It names no secret. */
public final class SourceException extends Exception {

    private static final long serialVersionUID = 1;

    private final Kind kind;

    /** What may help. */
    enum Kind {
        /** Nothing: asking again will not change it. */
        REFUSED,
        /** A smaller question: the answer would be larger, or take longer, than allowed. */
        TOO_MUCH,
        /** The same question later. */
        PASSING,
        /** The same later, or without one of the stores that the server asks in turn. */
        STORE_AWAY
    }

    SourceException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    SourceException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** Whether the server refused a regular expression of the question. */
    public boolean isAboutPattern() {
        return kind == Kind.REFUSED && String.valueOf(getMessage()).contains("regexp");
    }

    Kind kind() {
        return kind;
    }
}
