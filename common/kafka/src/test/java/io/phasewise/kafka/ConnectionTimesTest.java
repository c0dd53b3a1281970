/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionTimesTest {

    @Test
    void aClientGivesItsFirstConnectionUpAfterSecondsAndWaitsAsLongAsKafkaLater() {
        Map<String, Object> properties = new HashMap<>(Map.of("client.id", "x"));

        ConnectionTimes.bound(properties);

        assertThat(properties).isEqualTo(Map.of("client.id", "x", "socket.connection.setup.timeout.ms", "2000"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"socket.connection.setup.timeout.ms", "socket.connection.setup.timeout.max.ms"})
    void whatTheUserSetsIsKeptAndTheOtherIsKafkasOwn(String key) {
        Map<String, Object> properties = new HashMap<>(Map.of(key, "9000"));

        ConnectionTimes.bound(properties);

        assertThat(properties).isEqualTo(Map.of(key, "9000"));
    }

    @Test
    void aConnectionOfAnAdminClientThatIsSilentEndsUnlessTheUserSaysWhen() {
        Map<String, Object> properties = new HashMap<>();
        ConnectionTimes.endSilent(properties);
        assertThat(properties).containsEntry("connections.max.idle.ms", "30000");

        properties.put("connections.max.idle.ms", "60000");
        ConnectionTimes.endSilent(properties);
        assertThat(properties).containsEntry("connections.max.idle.ms", "60000");
    }
}
