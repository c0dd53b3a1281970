/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ClientSettingsTest {
    @Test
    void theFirstClientOfEachKindIsRead() {
        List<String> log =
                List.of(
                        "2026-11-22T16:00:00.000Z INFO  starting [Main]",
                        "ProducerConfig values: ",
                        "\tacks = -1",
                        "\tsasl.jaas.config = [hidden]",
                        "\ttransactional.id = null",
                        "",
                        "ConsumerConfig values: ",
                        "\tfetch.max.wait.ms = 500",
                        "ProducerConfig values: ",
                        "\tacks = 1",
                        "2026-11-22T16:00:01.000Z INFO  ready [Main]",
                        "\tat some.Trace = line");

        assertThat(ClientSettings.read(log))
                .isEqualTo(
                        Map.of(
                                "producer",
                                Map.of(
                                        "acks",
                                        "-1",
                                        "sasl.jaas.config",
                                        "[hidden]",
                                        "transactional.id",
                                        "null"),
                                "consumer",
                                Map.of("fetch.max.wait.ms", "500")));
    }

    @Test
    void kafkaLogsThemWhereACanaryIsToldToListen() throws Exception {
        String listening;
        try (InputStream in = ClientSettings.class.getResourceAsStream("/canary-logback.xml")) {
            listening = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        String name = "org.apache.kafka.common.config.AbstractConfig";
        assertThat(listening).contains("<logger name=\"" + name + "\" level=\"INFO\"");
        Logger logger = (Logger) LoggerFactory.getLogger(name);
        Level before = logger.getLevel();
        ListAppender<ILoggingEvent> heard = new ListAppender<>();
        heard.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(heard);
        try {
            new ProducerConfig(
                    Map.of(
                            "bootstrap.servers",
                            "127.0.0.1:1",
                            "acks",
                            "1",
                            "sasl.jaas.config",
                            "a password",
                            "key.serializer",
                            ByteArraySerializer.class.getName(),
                            "value.serializer",
                            ByteArraySerializer.class.getName()));
        } finally {
            logger.detachAppender(heard);
            logger.setLevel(before);
        }
        List<String> log =
                heard.list.stream().flatMap(event -> event.getFormattedMessage().lines()).toList();

        assertThat(ClientSettings.read(log).get("producer"))
                .containsEntry("acks", "1")
                .containsEntry("sasl.jaas.config", "[hidden]")
                .containsKey("linger.ms");
    }
}
