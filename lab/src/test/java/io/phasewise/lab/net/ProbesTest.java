/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import org.junit.jupiter.api.Test;

/** What counts as ready. */
class ProbesTest {

    @Test
    void aPortIsReadyWhenItAcceptsConnections() throws Exception {
        int port;
        try (StubServer server = new StubServer()) {
            port = server.port();
            assertThat(Probes.accepts(port).missing()).isEmpty();
        }
        assertThat(Probes.accepts(port).missing())
                .contains("no one accepts connections on port " + port);
    }

    @Test
    void aUrlIsReadyWhenItAnswersWithSuccessAndItsReasonIsPassedOnOtherwise() throws Exception {
        try (StubServer server =
                new StubServer()
                        .answer("/-/ready", 200, "ok")
                        .answer("/other", 503, "no probe went round yet\n")) {
            HttpClient client = HttpClient.newHttpClient();
            assertThat(Probes.answers(client, server.uri("/-/ready")).missing()).isEmpty();
            assertThat(Probes.answers(client, server.uri("/other")).missing())
                    .contains(server.uri("/other") + " answers 503: no probe went round yet");
        }
    }
}
