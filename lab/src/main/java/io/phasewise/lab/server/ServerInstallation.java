/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import java.nio.file.Path;

/**
 * An installed server, with the tool that checks its files.
 *
 * @param server the program
 * @param tool {@code promtool} or {@code amtool}; the program itself where there is none
 * @param version of the server
 */
public record ServerInstallation(Path server, Path tool, Version version) {

    /** Whether it is new enough for everything; see {@link ServerKind#minimum()}. */
    public boolean isFull(ServerKind kind) {
        return version.isAtLeast(kind.minimum());
    }
}
