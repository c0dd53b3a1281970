/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import java.util.Locale;

/** The five phases of a probe, in their order. */
public enum Phase {
    PRODUCE,
    PUBLISH,
    COMMIT,
    CATCH_UP,
    FETCH;

    /** Its value of the label {@code phase}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
