/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What counts as ready. */
class ReadinessChecksTest {

    @Test
    void aPortIsReadyWhenItAcceptsConnections() throws Exception {
        int port;
        try (StubServer server = new StubServer()) {
            port = server.port();
            assertThat(ReadinessChecks.accepts(port).missing()).isEmpty();
        }
        assertThat(ReadinessChecks.accepts(port).missing()).contains("no one accepts connections on port " + port);
    }
}
