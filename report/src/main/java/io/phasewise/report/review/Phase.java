/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import java.util.Locale;

/** The phases of a probe, in their order: five, and a sixth where it is mirrored. */
public enum Phase {
    PRODUCE,
    PUBLISH,
    COMMIT,
    /** From one cluster to another; of mirrored profiles only. */
    MIRROR,
    CATCH_UP,
    FETCH;

    /** Its value of the label {@code phase}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
