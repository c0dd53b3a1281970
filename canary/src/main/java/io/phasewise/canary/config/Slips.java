/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * Tells a mistyped name from one that is meant as it stands. Kafka's clients take any property, as
 * plugins read their own; so only a name is taken for a slip that differs from a known one by a
 * single slip of the hand: a letter too many, too few, or wrong, two that changed places, or other
 * signs between the words.
 */
final class Slips {
    private Slips() {}

    /** The known name that a name was probably meant to be; empty where there is none. */
    static Optional<String> meant(String name, Collection<String> known) {
        return known.stream().filter(each -> isSlip(name, each)).sorted().findFirst();
    }

    private static boolean isSlip(String name, String known) {
        return !name.equals(known) && (letters(name).equals(letters(known)) || isOneStepAway(name, known));
    }

    private static String letters(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }

    private static boolean isOneStepAway(String a, String b) {
        int same = 0;
        int shorter = Math.min(a.length(), b.length());
        while (same < shorter && a.charAt(same) == b.charAt(same)) {
            same++;
        }
        String restOfA = a.substring(same);
        String restOfB = b.substring(same);
        return switch (a.length() - b.length()) {
            case 1 -> restOfA.substring(1).equals(restOfB);
            case -1 -> restOfB.substring(1).equals(restOfA);
            case 0 ->
                restOfA.length() > 0 && restOfA.substring(1).equals(restOfB.substring(1))
                        || restOfA.length() > 1
                                && restOfA.charAt(0) == restOfB.charAt(1)
                                && restOfA.charAt(1) == restOfB.charAt(0)
                                && restOfA.substring(2).equals(restOfB.substring(2));
            default -> false;
        };
    }
}
