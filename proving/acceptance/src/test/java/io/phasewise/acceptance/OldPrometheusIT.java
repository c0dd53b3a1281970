/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import io.phasewise.lab.junit.TestServers;
import io.phasewise.lab.server.ServerKind;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/**
 * The stack in classic mode, with a Prometheus without stable native histograms, found by {@link
 * OldPrometheus}.
 */
@Tag("long")
class OldPrometheusIT extends StackIT {
    @Override
    boolean isClassic() {
        return true;
    }

    /** With the old one on PATH, and a cache without a newer one, which would be preferred. */
    @Override
    Stack stack(Path directory) throws IOException, InterruptedException {
        Path old = OldPrometheus.getOrSkip(directory);
        Path cache = Files.createDirectories(directory.resolve("cache/phasewise/servers"));
        for (ServerKind kind : List.of(ServerKind.ALERTMANAGER, ServerKind.NODE_EXPORTER)) {
            Path home = TestServers.get(kind).server().getParent();
            Files.createSymbolicLink(cache.resolve(home.getFileName()), home);
        }
        return Stack.shortLived(
                directory.resolve("state"),
                Map.of(
                        "PATH",
                        old + File.pathSeparator + System.getenv("PATH"),
                        "XDG_CACHE_HOME",
                        directory.resolve("cache").toString()));
    }
}
