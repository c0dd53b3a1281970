/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.document;

/**
 * What a cell of a table holds, or a figure within a sentence.
 *
 * @param text words, or a number with its unit
 * @param interval in brackets, or why there is none; empty for what has no interval
 */
public record Value(String text, String interval) {

    /** What has no interval. */
    public static Value of(String text) {
        return new Value(text, "");
    }

    /** As in a sentence. */
    @Override
    public String toString() {
        return interval.isEmpty() ? text : text + " " + interval;
    }
}
