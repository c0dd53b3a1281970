/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

/**
 * The canary's configuration for the local stack, as text; what the keys mean is documented with
 * the canary.
 */
final class CanaryConfiguration {

    private CanaryConfiguration() {}

    static String of(StackPorts ports) {
        return """
        # Written by the launcher at each start.
        canary:
          http:
            host: 127.0.0.1
            port: %d
          clusters:
            local:
              bootstrap-servers: %s
              topic:
                name: phasewise-canary
                replication-factor: 3
                min-insync-replicas: 2
        """
                .formatted(ports.canary(), ports.bootstrap());
    }
}
