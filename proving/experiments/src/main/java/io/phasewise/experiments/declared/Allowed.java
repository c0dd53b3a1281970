/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.declared;

import java.time.Duration;
import java.util.Collection;

/**
 * Checks values of a declared record. Each throws an IllegalArgumentException with the key, the
 * value and what is allowed.
 */
public final class Allowed {
    private Allowed() {}

    /** Requires a number between two bounds, both included. */
    public static void range(String key, double value, double least, double most) {
        require(value >= least && value <= most, key, value, number(least) + " to " + number(most));
    }

    /** Requires a time longer than zero and not longer than a bound. */
    public static void upTo(String key, Duration value, Duration most) {
        boolean allowed = value != null && value.compareTo(Duration.ZERO) > 0 && value.compareTo(most) <= 0;
        require(allowed, key, value, "more than 0s, up to " + most.toMillis() + "ms");
    }

    /** Requires one or more ids of brokers. */
    public static void ids(String key, Collection<Integer> ids) {
        require(ids != null && !ids.isEmpty(), key, ids, "one or more ids");
    }

    /** Requires a condition. */
    public static void require(boolean allowed, String key, Object value, String what) {
        if (!allowed) {
            throw new IllegalArgumentException(
                    key + (value == null ? " is missing" : ": " + value) + "; allowed: " + what);
        }
    }

    /** A number as one would write it, without ".0". */
    public static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
