/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.commands;

/**
 * One thing that a look at a cluster has shown.
 *
 * @param kind what kind of answer it is
 * @param isBlocking whether this keeps the canary from measuring, or from measuring as the configuration
 *     asks
 * @param text for the reader
 */
public record Finding(Kind kind, boolean isBlocking, String text) {
    /** What kind of answer. */
    public enum Kind {
        /** How something is. */
        IS("is"),
        /** The canary's user may do it. */
        MAY("may"),
        /** The canary's user may not do it. */
        MAY_NOT("may not"),
        /** The cluster does not say. */
        UNKNOWN("unknown"),
        /** What the canary would do. */
        WOULD("would");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** As the reader sees it. */
        public String word() {
            return word;
        }
    }

    static Finding is(String text) {
        return new Finding(Kind.IS, false, text);
    }

    static Finding blocking(String text) {
        return new Finding(Kind.IS, true, text);
    }

    static Finding unknown(String text) {
        return new Finding(Kind.UNKNOWN, false, text);
    }

    static Finding would(String text) {
        return new Finding(Kind.WOULD, false, text);
    }
}
