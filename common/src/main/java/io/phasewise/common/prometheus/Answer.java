/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.prometheus;

import java.util.List;

/** One answer of the query API. */
public final class Answer<T> {
    /** What was asked for. */
    public final List<T> content;

    /** Why it may not be whole; empty where the server has nothing against it. */
    public final List<String> warnings;

    Answer(List<T> content, List<String> warnings) {
        this.content = content;
        this.warnings = warnings;
    }
}
