/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.cli;

/** A program or a file that is needed is not there; the message says what, and how to get it. */
public final class MissingException extends ExplainedException {
    private static final long serialVersionUID = 1L;

    private final String reason;
    private final String howToGet;

    /**
     * @param reason what was looked at and why it will not do
     * @param howToGet what to do about it
     */
    public MissingException(String reason, String howToGet) {
        super(reason + "; " + howToGet);
        this.reason = reason;
        this.howToGet = howToGet;
    }

    public String reason() {
        return reason;
    }

    public String howToGet() {
        return howToGet;
    }
}
