/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes durations as the configuration has them: 250us, 50ms, 5s, 1.5m or 1h. */
final class Durations {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(us|ms|s|m|h)");
    private static final String[] UNITS = {"h", "m", "s", "ms", "us"};

    private Durations() {}

    /** A whole number of nanoseconds; empty where the text is no duration. */
    static Optional<Duration> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(
                        Duration.ofNanos(
                                Math.round(
                                        Double.parseDouble(matcher.group(1))
                                                * nanosPerUnit(matcher.group(2)))))
                : Optional.empty();
    }

    /** In the largest unit that keeps it whole. */
    static String show(Duration duration) {
        long nanos = duration.toNanos();
        for (String unit : UNITS) {
            if (nanos % nanosPerUnit(unit) == 0) {
                return nanos / nanosPerUnit(unit) + unit;
            }
        }
        return nanos / 1e3 + "us";
    }

    private static long nanosPerUnit(String unit) {
        return switch (unit) {
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            default -> 3_600_000_000_000L;
        };
    }
}
