/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import io.phasewise.common.phase.Role;
import java.util.Comparator;

/**
 * What a probe can wait for: a role of a broker.
 *
 * @param broker its id, or none
 * @param role what of it
 */
record Whom(int broker, Role role) implements Comparable<Whom> {
    private static final Comparator<Whom> ORDER =
            Comparator.comparingInt(Whom::broker).thenComparing(Whom::role);

    @Override
    public int compareTo(Whom other) {
        return ORDER.compare(this, other);
    }
}
