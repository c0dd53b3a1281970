/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.source;

/** The server could not be read; the message says for people what failed. It names no secret. */
public final class SourceException extends Exception {

    private static final long serialVersionUID = 1;

    private final boolean tooMuch;
    private final boolean passing;
    private final boolean storeAway;

    private SourceException(
            String message, boolean tooMuch, boolean passing, boolean storeAway, Throwable cause) {
        super(message, cause);
        this.tooMuch = tooMuch;
        this.passing = passing;
        this.storeAway = storeAway;
    }

    /** A refusal that asking again will not change. */
    static SourceException refused(String message) {
        return new SourceException(message, false, false, false, null);
    }

    /** The answer would have been larger, or have taken longer, than the server allows. */
    static SourceException tooMuch(String message) {
        return new SourceException(message, true, false, false, null);
    }

    /** A fault that may be over soon. */
    static SourceException passing(String message, Throwable cause) {
        return new SourceException(message, false, true, false, cause);
    }

    /** The server is there, and one of those that it asks in turn is not. */
    static SourceException storeAway(String message) {
        return new SourceException(message, false, true, true, null);
    }

    /** Whether a smaller question may be answered. */
    boolean tooMuch() {
        return tooMuch;
    }

    /** Whether the same question may be answered later. */
    boolean passing() {
        return passing;
    }

    /** Whether the server has less to tell than it should, and might yet tell that. */
    boolean storeAway() {
        return storeAway;
    }
}
