/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.reach;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.kafka.PortLook;
import io.phasewise.kafka.StrangePort;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrokerPortsTest {
    private final BrokerPorts ports =
            new BrokerPorts(new PortLook(System::nanoTime), Map.of("security.protocol", "PLAINTEXT"), 0);

    @Test
    void oneBrokerIsLookedAtInARoundAndEachOnceAMinute() throws IOException {
        try (StrangePort tls = new StrangePort(StrangePort.Kind.TLS_ALERT)) {
            Broker one = broker(1, tls);
            Broker two = broker(2, tls);
            assertThat(ports.mismatch(one, 1))
                    .contains(tls.address() + " speaks TLS: set client.security.protocol to SSL or SASL_SSL");
            assertThat(ports.mismatch(two, 1)).isEmpty();
            assertThat(ports.mismatch(one, 2)).isNotEmpty();
            assertThat(ports.mismatch(two, 2)).isNotEmpty();
            assertThat(tls.connections()).isEqualTo(2);

            ports.mismatch(one, Duration.ofSeconds(61).toNanos());
            assertThat(tls.connections()).isEqualTo(3);
            ports.retain(List.of(2));
            ports.mismatch(one, Duration.ofSeconds(62).toNanos());
            assertThat(tls.connections()).as("it was connected to in between").isEqualTo(4);
        }
    }

    private static Broker broker(int id, StrangePort at) {
        return new Broker(id, "127.0.0.1", at.port(), null, true);
    }
}
