/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import java.time.Duration;

/** Words an estimate of how long something takes. */
public final class Estimate {
    private Estimate() {}

    /** For instance {@code about 50 s} or {@code about 12 min}. */
    public static String text(Duration duration) {
        long seconds = duration.toSeconds();
        return seconds < 90
                ? "about " + (seconds + 9) / 10 * 10 + " s"
                : "about " + Math.round(seconds / 60.0) + " min";
    }
}
