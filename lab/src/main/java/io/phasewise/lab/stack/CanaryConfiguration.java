/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The canary's configuration for the local stack, as text; what the keys mean is documented with
 * the canary.
 */
final class CanaryConfiguration {

    private CanaryConfiguration() {}

    static String of(StackPorts ports, Path pauseFile) {
        return """
        # Written by the launcher at each start.
        canary:
          pause-file: "%s"
          http:
            host: 127.0.0.1
            port: %d
          clusters:
            local:
              bootstrap-servers: %s
              exporters:
                addresses: { %s }
              topic:
                name: phasewise-canary
                replication-factor: 3
                min-insync-replicas: 2
        """
                .formatted(
                        pauseFile,
                        ports.canary(),
                        ports.bootstrap(),
                        IntStream.rangeClosed(1, StackPorts.BROKERS)
                                .mapToObj(id -> id + ": \"127.0.0.1:" + ports.exporter(id) + "\"")
                                .collect(Collectors.joining(", ")));
    }
}
