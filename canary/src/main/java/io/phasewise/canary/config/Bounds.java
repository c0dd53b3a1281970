/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.phasewise.common.time.Durations;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;

/**
 * Bounds of a number or a duration, both inclusive, as the reader of a fault sees them: "1 to 256",
 * "100ms to 1m". Where the upper one is the name of another key, {@link Binder} checks the lower one
 * only; {@link Section#limit} checks the upper one.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
@interface Bounds {
    /** The bounds. */
    String value();

    /** Whether the bounds themselves are not allowed. */
    boolean exclusive() default false;

    /** What is allowed. */
    final class Check {
        private Check() {}

        /** @param value a number or a duration */
        static boolean allows(Bounds bounds, Object value) {
            double size = value instanceof Duration duration ? duration.toNanos() : ((Number) value).doubleValue();
            String[] ends = bounds.value().split(" to ", 2);
            double least = size(ends[0]);
            double most = size(ends[1]);
            return bounds.exclusive() ? size > least && size < most : size >= least && size <= most;
        }

        /** What is allowed, in words. */
        static String allowed(Bounds bounds) {
            String[] ends = bounds.value().split(" to ", 2);
            return bounds.exclusive() ? "more than " + ends[0] + ", less than " + ends[1] : bounds.value();
        }

        private static double size(String bound) {
            if (bound.matches("[\\d.]+")) {
                return Double.parseDouble(bound);
            }
            boolean isKey = !Durations.isDuration(bound);
            return isKey ? Double.POSITIVE_INFINITY : Durations.parse(bound).toNanos();
        }
    }
}
