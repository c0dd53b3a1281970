/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import java.util.List;
import java.util.Optional;

/**
 * One thing about an experiment that can be set, with what is allowed; reading what was given is
 * left to {@link Parameters}.
 *
 * @param name as on the command line
 * @param about one line
 * @param fallback its value unless given
 * @param least of a number; not used where there are {@code choices}
 * @param most of a number
 * @param whole whether a number has nothing behind its point
 * @param choices the words allowed; empty for a number
 */
public record Parameter(
        String name,
        String about,
        String fallback,
        double least,
        double most,
        boolean whole,
        List<String> choices) {

    /** A number within bounds, both included. */
    public static Parameter number(
            String name, String about, double fallback, double least, double most) {
        return new Parameter(name, about, text(fallback), least, most, false, List.of());
    }

    /** A number of things, within bounds, both included. */
    public static Parameter whole(
            String name, String about, double fallback, double least, double most) {
        return new Parameter(name, about, text(fallback), least, most, true, List.of());
    }

    /** One of several words. */
    public static Parameter choice(String name, String about, String... choices) {
        return new Parameter(name, about, choices[0], 0, 0, false, List.of(choices));
    }

    /** What is allowed, for people. */
    public String allowed() {
        return choices.isEmpty()
                ? text(least) + " to " + text(most) + (whole ? ", whole" : "")
                : String.join(", ", choices);
    }

    /** What is wrong with a value; empty when nothing is. */
    Optional<String> fault(String value) {
        boolean good;
        if (choices.isEmpty()) {
            try {
                double number = Double.parseDouble(value);
                good = number >= least && number <= most && !(whole && number != Math.rint(number));
            } catch (NumberFormatException e) {
                good = false;
            }
        } else {
            good = choices.contains(value);
        }
        return good
                ? Optional.empty()
                : Optional.of(
                        "--param " + name + "=" + value + " is not allowed; allowed: " + allowed());
    }

    private static String text(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
