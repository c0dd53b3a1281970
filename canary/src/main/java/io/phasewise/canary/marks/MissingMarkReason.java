/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

import java.util.Locale;

/**
 * Why the phases of a probe are estimates where its leader's exporter should have reported them.
 */
public enum MissingMarkReason {
    /** The exporter does not answer, or takes no marks. */
    NO_ANSWER,
    /** It answers, but has not reported this probe in time. */
    NO_MARK;

    /** The value of the {@code reason} label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
