/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.prometheus;

import java.util.List;

/** One answer of the query API. */
public final class Answer<T> {
    private final List<T> content;
    private final List<String> warnings;

    Answer(List<T> content, List<String> warnings) {
        this.content = content;
        this.warnings = warnings;
    }

    /** What was asked for. */
    public List<T> content() {
        return content;
    }

    /** Why it may not be whole; empty where the server has nothing against it. */
    public List<String> warnings() {
        return warnings;
    }
}
