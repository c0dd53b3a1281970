/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.phasewise.common.time.Durations;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.Optional;

/**
 * Bounds of a number or a duration, both inclusive, as the reader of a fault sees them: "1 to 256",
 * "100ms to 1m". Where the upper one is the name of another key, only the lower one is checked
 * here.
 */
@Target({ElementType.FIELD, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.RUNTIME)
@Constraint(validatedBy = Bounds.Check.class)
public @interface Bounds {
    /** The bounds. */
    String value();

    /** Whether the bounds themselves are not allowed. */
    boolean exclusive() default false;

    /** What is allowed. */
    String message() default "{value}";

    /** Not used; every constraint has it. */
    Class<?>[] groups() default {};

    /** Not used; every constraint has it. */
    Class<? extends Payload>[] payload() default {};

    /** Compares; made by the validator. */
    final class Check implements ConstraintValidator<Bounds, Object> {
        private Bounds bounds;

        @Override
        public void initialize(Bounds annotation) {
            bounds = annotation;
        }

        @Override
        public boolean isValid(Object value, ConstraintValidatorContext context) {
            Object given = value instanceof Optional<?> optional ? optional.orElse(null) : value;
            if (given == null) {
                return true;
            }
            double size = given instanceof Duration duration ? duration.toNanos() : ((Number) given).doubleValue();
            String[] ends = bounds.value().split(" to ", 2);
            double least = size(ends[0]);
            double most = size(ends[1]);
            return bounds.exclusive() ? size > least && size < most : size >= least && size <= most;
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
