/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import java.util.Locale;

/** The five phases of a probe, in their order; docs/phases.md says what each is. */
public enum Phase {
    PRODUCE,
    PUBLISH,
    COMMIT,
    CATCH_UP,
    FETCH;

    /** As the canary's labels and log lines have it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
