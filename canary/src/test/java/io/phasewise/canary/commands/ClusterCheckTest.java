/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.ConfigLoader;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** How a look names what it could not ask. */
class ClusterCheckTest {
    private static final String CONFIG = """
            canary:
              http: {port: 0}
              clusters:
                home:
                  bootstrap-servers: 127.0.0.1:1
                  profiles:
                    mirror: {mirror: {bootstrap-servers: "kafka.invalid:9092", topic: home.phasewise-canary}}
            """;

    @Test
    void aHostOfAMirrorThatDnsDoesNotKnowIsNamed() throws Exception {
        ClusterConfig mirrored = new ConfigLoader(Map.of())
                .load(CONFIG, "test").config().clusters().stream()
                        .filter(ClusterConfig::mirrored)
                        .findFirst()
                        .orElseThrow();
        KafkaException unknown = catchThrowableOfType(
                KafkaException.class,
                () -> Admin.create(new HashMap<>(mirrored.readFrom().adminProperties("test")))
                        .close());

        assertThat(ClusterCheck.unasked("profile mirror: ", mirrored, unknown))
                .isEqualTo(Finding.stop("profile mirror: mirror.bootstrap-servers: kafka.invalid:9092:"
                        + " the host is not known here (DNS, /etc/hosts)"));
        assertThat(ClusterCheck.unasked("", mirrored, new TimeoutException("late"))
                        .text())
                .startsWith("not all could be asked: ");
    }
}
