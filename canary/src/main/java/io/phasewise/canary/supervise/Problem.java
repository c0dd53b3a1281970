/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

/**
 * Something that keeps the canary from measuring as it was asked to, said to the person who can
 * change it.
 *
 * @param key what it concerns: a key below the cluster in the configuration, or a client (producer,
 *     consumer, admin)
 * @param message what is wrong and what would put it right; never holds a secret
 */
public record Problem(String key, String message) implements Comparable<Problem> {
    /**
     * A problem whose message is made of a format and values.
     *
     * @param format of the message, as in {@link String#formatted}
     */
    public static Problem of(String key, String format, Object... values) {
        return new Problem(key, format.formatted(values));
    }

    @Override
    public int compareTo(Problem other) {
        int byKey = key.compareTo(other.key);
        return byKey != 0 ? byKey : message.compareTo(other.message);
    }
}
