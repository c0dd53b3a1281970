/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import java.util.Locale;

/** Whose topic it is; how that is found out is left to {@link TopicOwnership}. */
public enum Ownership {
    /** There is no such topic. */
    NONE,
    /** A canary created it: its mark says so. */
    CREATED,
    /** Somebody else created it, and {@code topic.adopt} says that it is for the canary alone. */
    ADOPTED,
    /** It is somebody else's. */
    FOREIGN,
    /** It cannot be known. */
    UNKNOWN;

    /** As metrics and the status show it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
