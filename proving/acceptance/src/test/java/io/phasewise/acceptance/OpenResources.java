/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a test has opened; closed together, the last one first. */
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
        // The others are closed, whatever becomes of this one.
        try (OpenResources others = this) {
            last.close();
        }
    }
}
