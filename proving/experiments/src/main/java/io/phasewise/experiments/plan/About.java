/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import java.time.Duration;

/** Says how long something takes, as far as that is known beforehand. */
public final class About {
    private About() {}

    /** Rounded to what is worth saying. */
    public static String minutes(Duration duration) {
        long seconds = duration.toSeconds();
        return seconds < 90
                ? "about " + (seconds + 9) / 10 * 10 + " s"
                : "about " + Math.round(seconds / 60.0) + " min";
    }
}
