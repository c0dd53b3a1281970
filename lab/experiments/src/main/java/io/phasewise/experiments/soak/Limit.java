/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import java.util.Locale;
import java.util.Optional;

/**
 * How much a figure may grow over a soak: by a share of what it was and by an amount; pure.
 *
 * @param share 0 or more
 * @param amount in the figure's unit, 0 or more
 */
public record Limit(double share, double amount) {
    /** For figures that are shown and not judged. */
    static final Optional<Limit> NONE = Optional.empty();

    static Optional<Limit> of(double share, double amount) {
        return Optional.of(new Limit(share, amount));
    }

    boolean keptBy(Drift drift) {
        // NaN, where a quarter has no figure, cannot be said to be kept.
        return drift.late() <= drift.early() * (1 + share) + amount;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%+.0f %% and %+.0f", 100 * share, amount);
    }
}
