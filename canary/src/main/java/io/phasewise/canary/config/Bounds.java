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

    /** The bounds, read. */
    record Check(String least, String most, boolean exclusive) {
        static Check of(Bounds bounds) {
            String[] ends = bounds.value().split(" to ", 2);
            return new Check(ends[0], ends[1], bounds.exclusive());
        }

        /** @param value a number or a duration */
        boolean allows(Object value) {
            double size = value instanceof Duration duration ? duration.toNanos() : ((Number) value).doubleValue();
            return exclusive ? size > size(least) && size < size(most) : size >= size(least) && size <= size(most);
        }

        /** What is allowed, in words. */
        String allowed() {
            return exclusive ? "more than " + least + ", less than " + most : least + " to " + most;
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
