/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import io.phasewise.lab.server.Lookup;
import io.phasewise.lab.server.ServerInstallation;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerProvider;
import java.nio.file.Path;

/** The servers that the repository pins, for tests that run them or their tools. */
final class Servers {
    private Servers() {}

    /** Finds or builds one; fails the test with what is missing. */
    static ServerInstallation get(Path root, ServerKind kind) throws InterruptedException {
        Lookup<ServerInstallation> lookup =
                ServerProvider.forUser(root, System.getenv())
                        .findOrBuild(kind, (stage, done, total) -> {});
        if (lookup instanceof Lookup.Missing<ServerInstallation> missing) {
            throw new AssertionError(
                    "no " + kind.tool() + ": " + missing.reason() + ". " + missing.howToGet());
        }
        return ((Lookup.Found<ServerInstallation>) lookup).installation();
    }
}
