/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.source;

import java.util.List;

/**
 * What the server held against answers of its own, and which stores behind it were away.
 *
 * @param answers how many came with a warning
 * @param texts what the warnings said, each once, as they came, and the stores; of many only the
 *     first; empty where there is nothing against the answers
 */
public record Warnings(int answers, List<String> texts) {

    /** The server had nothing against its answers. */
    public static final Warnings NONE = new Warnings(0, List.of());

    public Warnings {
        texts = List.copyOf(texts);
    }
}
