/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.measure;

import java.util.Locale;

/** Numbers as a table shows them, the same in every country. */
public final class Numbers {
    private Numbers() {}

    /** One number in a pattern of {@link String#format}. */
    public static String format(String pattern, double number) {
        return String.format(Locale.ROOT, pattern, number);
    }
}
