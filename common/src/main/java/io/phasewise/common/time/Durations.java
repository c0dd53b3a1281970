/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.time;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes durations as configurations have them: 250us, 50ms, 5s, 1.5m or 1h. */
public final class Durations {

    /** The units, in words. */
    public static final String UNITS = "us, ms, s, m or h";

    /** What a duration is made of, in words. */
    public static final String FORM = "a number and " + UNITS;

    private static final Pattern PATTERN = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(us|ms|s|m|h)");
    private static final List<String> LARGEST_FIRST = List.of("h", "m", "s", "ms", "us");
    private static final long[] NANOS = {3_600_000_000_000L, 60_000_000_000L, 1_000_000_000L, 1_000_000L, 1_000L};

    private Durations() {}

    /** Whether a text is a duration. */
    public static boolean isDuration(String text) {
        return PATTERN.matcher(text).matches();
    }

    /**
     * A whole number of nanoseconds; the longest duration is some 292 years.
     *
     * @throws IllegalArgumentException where the text is no duration
     */
    public static Duration parse(String text) {
        Matcher matcher = PATTERN.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text);
        }
        double units = Double.parseDouble(matcher.group(1));
        return Duration.ofNanos(Math.round(units * NANOS[LARGEST_FIRST.indexOf(matcher.group(2))]));
    }

    /** In the largest unit that keeps it whole. */
    public static String show(Duration duration) {
        long nanos = duration.toNanos();
        for (int i = 0; i < NANOS.length; i++) {
            if (nanos % NANOS[i] == 0) {
                return nanos / NANOS[i] + LARGEST_FIRST.get(i);
            }
        }
        return nanos / 1e3 + "us";
    }
}
