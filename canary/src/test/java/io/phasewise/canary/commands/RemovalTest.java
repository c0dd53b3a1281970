/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class RemovalTest {
    private final List<String> asked = new ArrayList<>();
    private final KafkaTools tools = new KafkaTools("b:9092");
    private final Admin admin = (Admin) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Admin.class}, (proxy, method, arguments) -> {
                asked.add(method.getName() + " " + arguments[0] + " " + (arguments.length > 1 ? arguments[1] : ""));
                throw new UnsupportedOperationException("only looked at");
            });

    /** Kafka hides offsets of topics that the user may not describe, and with a group they would go, too. */
    @Test
    void ofAConfiguredGroupOnlyTheOffsetsOfTheCanarysTopicGo() {
        Remnant remnant = Removal.configuredGroup(admin, "billing", Set.of(new TopicPartition("probes", 0)), tools);

        assertThat(remnant.what()).isEqualTo("offsets of topic probes in consumer group billing");
        assertThat(remnant.why()).contains("may hold offsets of others that this user may not see");
        assertThat(remnant.commands()).containsExactly(tools.deleteGroup("billing"));
        begin(remnant);
        assertThat(asked).singleElement().asString().startsWith("deleteConsumerGroupOffsets billing [probes-0]");
    }

    @Test
    void aConfiguredGroupWithoutThemIsLeft() {
        Remnant remnant = Removal.configuredGroup(admin, "billing", Set.of(), tools);

        assertThat(remnant.deletion()).isEmpty();
        assertThat(remnant.commands()).containsExactly(tools.deleteGroup("billing"));
    }

    @Test
    void aGroupWhoseIdACanaryDrewGoesWhole() {
        begin(Removal.drawnGroup(admin, "phasewise-canary-o-0123456789abcdef"));
        assertThat(asked).singleElement().asString().startsWith("deleteConsumerGroups ");
    }

    private static void begin(Remnant remnant) {
        assertThatThrownBy(() -> remnant.deletion().orElseThrow().begin())
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
