/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import java.util.ArrayDeque;
import java.util.Deque;

/** Resources that a test has opened; closed together, in reverse order. */
final class OpenResources implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    <T extends AutoCloseable> T keep(T resource) {
        open.push(resource);
        return resource;
    }

    @Override
    public void close() throws Exception {
        if (open.isEmpty()) {
            return;
        }
        AutoCloseable last = open.pop();
        // The others are closed, even where closing this one fails.
        try (OpenResources others = this) {
            last.close();
        }
    }
}
