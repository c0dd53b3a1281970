/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import io.phasewise.experiments.declared.Allowed;
import java.util.Optional;

/**
 * A number of an experiment that can be set, and its limits. Reading what the user gave is left to
 * {@link Parameters}.
 *
 * @param name as on the command line
 * @param about one line
 * @param value the default
 * @param least allowed
 * @param most allowed
 * @param whole whether only whole numbers are allowed
 * @param lessThan name of a parameter that must be greater
 */
public record Parameter(
        String name, String about, double value, double least, double most, boolean whole, Optional<String> lessThan) {

    /** What is allowed, for people. */
    public String allowed() {
        return Allowed.number(least) + " to " + Allowed.number(most) + (whole ? ", whole" : "");
    }

    /** The default, as one would write it. */
    public String fallback() {
        return Allowed.number(value);
    }

    /** Whether a value is allowed. */
    boolean allows(String text) {
        try {
            double number = Double.parseDouble(text);
            return number >= least && number <= most && !(whole && number != Math.rint(number));
        } catch (NumberFormatException none) {
            return false;
        }
    }
}
