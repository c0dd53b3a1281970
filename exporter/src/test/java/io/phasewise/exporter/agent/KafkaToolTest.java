/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaToolTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.kafka.tools.consumer.ConsoleConsumer --topic orders",
                "org.apache.kafka.tools.TopicCommand",
                "kafka.tools.StorageTool format -t x",
                "kafka.admin.ConfigCommand --describe",
                "kafka.docker.KafkaDockerWrapper setup",
                "org.apache.kafka.shell.MetadataShell"
            })
    void kafkasToolsAreTools(String command) {
        assertThat(KafkaTool.in(command)).contains(command.split(" ")[0]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kafka.Kafka /etc/kafka/server.properties",
                "org.apache.kafka.connect.cli.ConnectDistributed worker.properties",
                "kafka.docker.KafkaDockerWrapper start --default-configs-dir /etc/kafka/docker",
                "kafka.docker.KafkaDockerWrapper",
                "kafka.tools.MirrorMaker --num.streams 2",
                "com.example.Orders kafka.tools.TopicCommand",
                "/opt/app.jar",
                ""
            })
    void whatMayBeMeasuredIsNoTool(String command) {
        assertThat(KafkaTool.in(command)).isEmpty();
    }

    @Test
    void aJvmThatDoesNotSayIsNoTool() {
        assertThat(KafkaTool.in(null)).isEmpty();
    }
}
