/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

/**
 * One number of an experiment that can be set, with what is allowed; reading what was given is left
 * to {@link Parameters}.
 *
 * @param name as on the command line
 * @param about one line
 * @param fallback its value unless given
 * @param least allowed
 * @param most allowed
 * @param whole whether it has nothing behind its point
 */
public record Parameter(
        String name, String about, String fallback, double least, double most, boolean whole) {

    /** A number within bounds, both included. */
    public static Parameter number(
            String name, String about, double fallback, double least, double most) {
        return new Parameter(name, about, text(fallback), least, most, false);
    }

    /** A number of things, within bounds, both included. */
    public static Parameter whole(
            String name, String about, double fallback, double least, double most) {
        return new Parameter(name, about, text(fallback), least, most, true);
    }

    /** What is allowed, for people. */
    public String allowed() {
        return text(least) + " to " + text(most) + (whole ? ", whole" : "");
    }

    /** Whether a value is. */
    boolean allows(String value) {
        try {
            double number = Double.parseDouble(value);
            return number >= least && number <= most && !(whole && number != Math.rint(number));
        } catch (NumberFormatException none) {
            return false;
        }
    }

    private static String text(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
