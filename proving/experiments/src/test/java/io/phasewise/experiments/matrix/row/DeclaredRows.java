/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.row;

/** Rows for tests of the judge. */
public final class DeclaredRows {
    private DeclaredRows() {}

    /**
     * A row.
     *
     * @param fault as in a file
     * @param expect likewise, below the key
     */
    public static Row row(String name, String fault, String expect) {
        String text =
                "about: something\nfault: %s\nholds: {short: 1s, long: 2s}\nexpect: %s\n".formatted(fault, expect);
        return Row.read(name, text);
    }

    /** What a row of no fault declares. */
    public static Expectation expectation(String expect) {
        return row("row", "[]", expect).expect();
    }
}
