/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import java.util.Locale;

/** To which phase the time goes that a probe waits behind an earlier request. */
public enum Attribution {
    /** To the phase that the request in front is in at that moment, recursively. */
    CRITICAL_PATH,
    /** To the phase that the waiting probe itself is in: nothing is relabelled. */
    POSITION;

    /** As the configuration and the {@code attribution} label write it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
