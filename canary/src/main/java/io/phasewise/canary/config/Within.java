/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

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
import java.util.OptionalDouble;

/**
 * Bounds of a number or a duration, both inclusive, as the reader of a fault sees them: "1 to 256",
 * "100ms to 1m". Where the upper one is the name of another key, only the lower one is looked at
 * here.
 */
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@Constraint(validatedBy = Within.Check.class)
public @interface Within {
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
    final class Check implements ConstraintValidator<Within, Object> {
        private double least;
        private double most;
        private boolean exclusive;

        @Override
        public void initialize(Within within) {
            String[] bounds = within.value().split(" to ", 2);
            least = size(bounds[0]).orElseThrow();
            most = size(bounds[1]).orElse(Double.POSITIVE_INFINITY);
            exclusive = within.exclusive();
        }

        @Override
        public boolean isValid(Object value, ConstraintValidatorContext context) {
            Object given = value instanceof Optional<?> optional ? optional.orElse(null) : value;
            if (given == null) {
                return true;
            }
            double size =
                    given instanceof Duration duration
                            ? duration.toNanos()
                            : ((Number) given).doubleValue();
            return exclusive ? size > least && size < most : size >= least && size <= most;
        }

        private static OptionalDouble size(String bound) {
            if (bound.matches("[\\d.]+")) {
                return OptionalDouble.of(Double.parseDouble(bound));
            }
            return Durations.parse(bound)
                    .map(duration -> OptionalDouble.of(duration.toNanos()))
                    .orElse(OptionalDouble.empty());
        }
    }
}
