/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.declared.Declaration;

/** Rows for tests of the judge. */
final class DeclaredRows {
    private DeclaredRows() {}

    /**
     * A row.
     *
     * @param fault as in a file
     * @param expect likewise, below the key
     */
    static Row row(String name, String fault, String expect) {
        String text =
                "about: something\nfault: %s\nholds: {short: 1s, long: 2s}\nexpect: %s\n"
                        .formatted(fault, expect);
        return Declaration.read(name + ".yml", text, Row.class).named(name);
    }

    /** What a row of no fault declares. */
    static Expectation expectation(String expect) {
        return row("row", "{kind: nothing}", expect).expect();
    }
}
