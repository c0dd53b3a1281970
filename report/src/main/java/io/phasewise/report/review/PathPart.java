/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import java.util.Locale;

/**
 * What the end-to-end latency is made of, in order: the five phases, and in mirrored profiles the
 * mirror among them.
 */
public enum PathPart {
    PRODUCE,
    PUBLISH,
    COMMIT,
    MIRROR,
    CATCH_UP,
    FETCH;

    /** What the reader knows it by. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The label {@code phase} of its series; empty for the mirror, whose series have none. */
    String phase() {
        return this == MIRROR ? "" : label();
    }
}
