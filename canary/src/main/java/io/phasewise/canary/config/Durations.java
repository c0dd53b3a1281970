/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes durations as the configuration has them: 250us, 50ms, 5s, 1.5m or 1h. */
final class Durations {
    static final String FORM = "(\\d+(?:\\.\\d+)?)\\s*(us|ms|s|m|h)";

    private static final List<String> UNITS = List.of("h", "m", "s", "ms", "us");
    private static final long[] NANOS = {3_600_000_000_000L, 60_000_000_000L, 1_000_000_000L, 1_000_000L, 1_000L};

    private Durations() {}

    /**
     * A whole number of nanoseconds.
     *
     * @throws IllegalArgumentException where the text is no duration
     */
    static Duration parse(String text) {
        Matcher matcher = Pattern.compile(FORM).matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text);
        }
        double units = Double.parseDouble(matcher.group(1));
        return Duration.ofNanos(Math.round(units * NANOS[UNITS.indexOf(matcher.group(2))]));
    }

    /** In the largest unit that keeps it whole. */
    static String show(Duration duration) {
        long nanos = duration.toNanos();
        for (int i = 0; i < NANOS.length; i++) {
            if (nanos % NANOS[i] == 0) {
                return nanos / NANOS[i] + UNITS.get(i);
            }
        }
        return nanos / 1e3 + "us";
    }
}
