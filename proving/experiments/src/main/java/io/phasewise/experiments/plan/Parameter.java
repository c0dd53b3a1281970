/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import io.phasewise.experiments.declared.Allowed;
import java.util.Optional;

/**
 * One number of an experiment that can be set, with what is allowed; reading what was given is left
 * to {@link Parameters}.
 *
 * @param name as on the command line
 * @param about one line
 * @param value unless given
 * @param least allowed
 * @param most allowed
 * @param whole whether only whole numbers are allowed
 * @param lessThan another parameter that must be greater
 */
public record Parameter(
        String name, String about, double value, double least, double most, boolean whole, Optional<String> lessThan) {

    /** What is allowed, for people. */
    public String allowed() {
        return Allowed.number(least) + " to " + Allowed.number(most) + (whole ? ", whole" : "");
    }

    /** The value unless given, as one would write it. */
    public String fallback() {
        return Allowed.number(value);
    }

    /** Whether a value is. */
    boolean allows(String text) {
        try {
            double number = Double.parseDouble(text);
            return number >= least && number <= most && !(whole && number != Math.rint(number));
        } catch (NumberFormatException none) {
            return false;
        }
    }
}
