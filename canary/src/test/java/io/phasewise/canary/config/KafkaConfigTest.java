/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

class KafkaConfigTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void sendNeverBlocksAndGivesUpAtTheLossHorizon() {
        Map<String, Object> properties =
                with(Map.of(), Map.of()).producerProperties("prod", MINUTE);

        assertThat(properties)
                .containsEntry("max.block.ms", "0")
                .containsEntry("delivery.timeout.ms", "60000")
                .containsEntry("request.timeout.ms", "30000")
                .containsEntry("linger.ms", "0")
                .containsEntry("acks", "all");
    }

    @Test
    void aShortLossHorizonShortensTheRequestTimeoutToo() {
        Map<String, Object> properties =
                with(Map.of("linger.ms", "100"), Map.of())
                        .producerProperties("prod", Duration.ofSeconds(2));

        assertThat(properties).containsEntry("request.timeout.ms", "1900");
        assertThat(new ProducerConfig(properties)).isNotNull();
    }

    @Test
    void theUsersSettingsWinOverTheCanarysDefaultsAndThoseOfOneClientOverThoseOfAll() {
        KafkaConfig kafka = with(Map.of("acks", "1", "linger.ms", "1"), Map.of("linger.ms", "20"));

        assertThat(kafka.producerProperties("prod", MINUTE))
                .containsEntry("acks", "1")
                .containsEntry("linger.ms", "20");
    }

    @Test
    void everyClientGetsOnlyWhatItKnows() {
        KafkaConfig kafka = with(Map.of("linger.ms", "1", "fetch.min.bytes", "9"), Map.of());

        assertThat(kafka.consumerProperties("prod"))
                .doesNotContainKey("linger.ms")
                .containsEntry("fetch.min.bytes", "9");
        assertThat(kafka.adminProperties("prod"))
                .doesNotContainKeys("linger.ms", "fetch.min.bytes");
    }

    @Test
    void kafkaAcceptsTheDefaultsAndBrokersCanTellTheCanaryByItsClientId() {
        KafkaConfig kafka = with(Map.of(), Map.of());

        assertThat(
                        new ProducerConfig(kafka.producerProperties("prod", MINUTE))
                                .getString("client.id"))
                .isEqualTo("phasewise-canary-prod-producer");
        assertThat(new ConsumerConfig(kafka.consumerProperties("prod")).getString("client.id"))
                .isEqualTo("phasewise-canary-prod-consumer");
        assertThat(new AdminClientConfig(kafka.adminProperties("prod")).getString("client.id"))
                .isEqualTo("phasewise-canary-prod-admin");
    }

    @Test
    void aLaneHasOneRequestAtATimeARoomyBufferAndANameOfItsOwn() {
        assertThat(with(Map.of(), Map.of()).laneProperties("prod", MINUTE, 7, 1_000_000))
                .containsEntry("max.in.flight.requests.per.connection", "1")
                .containsEntry("client.id", "phasewise-canary-prod-producer-7")
                .containsEntry("buffer.memory", String.valueOf(64 * 1_001_024));
    }

    @Test
    void aBufferThatTheUserSetIsKept() {
        KafkaConfig kafka = with(Map.of(), Map.of("buffer.memory", "70000"));

        assertThat(kafka.laneProperties("prod", MINUTE, 0, 64))
                .containsEntry("buffer.memory", "70000");
    }

    private static KafkaConfig with(Map<String, String> client, Map<String, String> producer) {
        return new KafkaConfig("b:1", client, producer, Map.of(), Map.of());
    }
}
