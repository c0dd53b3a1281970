/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.smallrye.config.ConfigValue;
import io.smallrye.config.SmallRyeConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads one key at a time as a checked value, noting every fault and every key asked for; which
 * keys there are is left to its caller.
 *
 * <p>A faulty value yields the default, so that reading goes on and one run shows all faults.
 */
final class KeyReader {
    private static final Pattern DURATION = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(us|ms|s|m|h)");

    private final SmallRyeConfig source;
    private final Set<String> asked = new TreeSet<>();
    private final List<ConfigFault> faults = new ArrayList<>();

    KeyReader(SmallRyeConfig source) {
        this.source = source;
    }

    /** The faults noted so far. */
    List<ConfigFault> faults() {
        return faults;
    }

    /** The keys asked for so far, that is, the keys that exist. */
    Set<String> asked() {
        return asked;
    }

    void fault(String key, String message) {
        faults.add(new ConfigFault(key.replace("\"", ""), message));
    }

    /** The text at a key, expanded and trimmed, or null when there is none. */
    String textOrNull(String key) {
        asked.add(key);
        try {
            ConfigValue value = source.getConfigValue(key);
            String text = value == null ? null : value.getValue();
            if (text == null && value != null && value.getRawValue() != null) {
                throw new NoSuchElementException(key);
            }
            return text == null || text.isBlank() ? null : text.strip();
        } catch (NoSuchElementException | IllegalArgumentException e) {
            fault(
                    key,
                    "holds a ${...} that names no environment variable; set the variable or give a"
                            + " default: ${NAME:default}");
            return null;
        }
    }

    String text(String key, String fallback, Pattern allowed, String allowedText) {
        String text = textOrNull(key);
        if (text == null) {
            return fallback;
        }
        if (!allowed.matcher(text).matches()) {
            fault(key, quote(text) + " is not allowed; allowed: " + allowedText);
            return fallback;
        }
        return text;
    }

    int integer(String key, int fallback, int least, int most) {
        String text = textOrNull(key);
        if (text == null) {
            return fallback;
        }
        String allowed = least + " to " + most;
        try {
            int value = Integer.parseInt(text);
            if (value >= least && value <= most) {
                return value;
            }
            fault(key, text + " is out of range; allowed: " + allowed);
        } catch (NumberFormatException e) {
            fault(key, quote(text) + " is not a whole number; allowed: " + allowed);
        }
        return fallback;
    }

    /** As {@link #integer}, for a value that may be left open. */
    OptionalLong wholeNumber(String key, OptionalLong fallback, long least, long most) {
        String text = textOrNull(key);
        if (text == null) {
            return fallback;
        }
        String allowed = least + " to " + most;
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return OptionalLong.of(value);
            }
            fault(key, text + " is out of range; allowed: " + allowed);
        } catch (NumberFormatException e) {
            fault(key, quote(text) + " is not a whole number; allowed: " + allowed);
        }
        return fallback;
    }

    /** Bounds are inclusive; {@code allowed} says them to the reader. */
    double decimal(String key, double fallback, double least, double most, String allowed) {
        String text = textOrNull(key);
        if (text == null) {
            return fallback;
        }
        try {
            double value = Double.parseDouble(text);
            if (value >= least && value <= most) {
                return value;
            }
            fault(key, text + " is out of range; allowed: " + allowed);
        } catch (NumberFormatException e) {
            fault(key, quote(text) + " is not a number; allowed: " + allowed);
        }
        return fallback;
    }

    boolean bool(String key, boolean fallback) {
        String text = textOrNull(key);
        if (text == null) {
            return fallback;
        }
        switch (text.toLowerCase(Locale.ROOT)) {
            case "true":
                return true;
            case "false":
                return false;
            default:
                fault(key, quote(text) + " is not allowed; allowed: true, false");
                return fallback;
        }
    }

    <E extends Enum<E>> E choice(String key, E fallback, Class<E> type) {
        String text = textOrNull(key);
        if (text == null) {
            return fallback;
        }
        for (E value : type.getEnumConstants()) {
            if (written(value).equalsIgnoreCase(text)) {
                return value;
            }
        }
        List<String> names =
                Arrays.stream(type.getEnumConstants()).map(KeyReader::written).toList();
        fault(key, quote(text) + " is not allowed; allowed: " + String.join(", ", names));
        return fallback;
    }

    private static String written(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * A whole number of nanoseconds written as a number and a unit, such as 250us, 50ms, 5s, 1.5m
     * or 1h.
     */
    Duration duration(String key, Duration fallback, Duration least, Duration most) {
        String text = textOrNull(key);
        if (text == null) {
            return fallback;
        }
        String allowed = show(least) + " to " + show(most);
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            fault(
                    key,
                    quote(text)
                            + " is not a duration (a number and us, ms, s, m or h); allowed: "
                            + allowed);
            return fallback;
        }
        double nanos = Double.parseDouble(matcher.group(1)) * nanosPerUnit(matcher.group(2));
        if (nanos < least.toNanos() || nanos > most.toNanos()) {
            fault(key, text + " is out of range; allowed: " + allowed);
            return fallback;
        }
        return Duration.ofNanos(Math.round(nanos));
    }

    private static double nanosPerUnit(String unit) {
        return switch (unit) {
            case "us" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            case "m" -> 60e9;
            default -> 3600e9;
        };
    }

    /** A duration as the configuration would write it: the largest unit that keeps it whole. */
    static String show(Duration duration) {
        long nanos = duration.toNanos();
        String[] units = {"h", "m", "s", "ms", "us"};
        for (String unit : units) {
            long per = (long) nanosPerUnit(unit);
            if (nanos % per == 0) {
                return nanos / per + unit;
            }
        }
        return nanos / 1e3 + "us";
    }

    static String quote(String text) {
        return '"' + text + '"';
    }
}
