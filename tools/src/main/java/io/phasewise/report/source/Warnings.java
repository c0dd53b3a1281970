/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.source;

import java.util.List;

/**
 * Why the server's answers may not be whole: its own warnings, and the stores behind it that were
 * away.
 *
 * @param answers how many came with a warning
 * @param texts the warnings, each once, in the order in which they came, then the stores; of
 *     many only the first; empty where the answers are whole
 */
public record Warnings(int answers, List<String> texts) {

    /** No warnings. */
    public static final Warnings NONE = new Warnings(0, List.of());

    public Warnings {
        texts = List.copyOf(texts);
    }
}
