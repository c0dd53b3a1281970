/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static io.phasewise.canary.config.Configurations.prod;
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
                with(Map.of(), Map.of()).producerProperties("prod", MINUTE, 7);

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
                        .producerProperties("prod", Duration.ofSeconds(2), 7);

        assertThat(properties).containsEntry("request.timeout.ms", "1900");
        assertThat(new ProducerConfig(properties)).isNotNull();
    }

    @Test
    void theUsersSettingsWinOverTheCanarysDefaultsAndThoseOfOneClientOverThoseOfAll() {
        KafkaConfig kafka = with(Map.of("acks", "1", "linger.ms", "1"), Map.of("linger.ms", "20"));

        assertThat(kafka.producerProperties("prod", MINUTE, 7))
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
                        new ProducerConfig(kafka.producerProperties("prod", MINUTE, 7))
                                .getString("client.id"))
                .isEqualTo("phasewise-canary-prod-producer-7");
        assertThat(new ConsumerConfig(kafka.consumerProperties("prod")).getString("client.id"))
                .isEqualTo("phasewise-canary-prod-consumer");
        assertThat(new AdminClientConfig(kafka.adminProperties("prod")).getString("client.id"))
                .isEqualTo("phasewise-canary-prod-admin");
    }

    @Test
    void aLaneHasOneRequestAtATimeARoomyBufferUnlessItIsGivenAndANameOfItsOwn() throws Exception {
        ClusterConfig large = Configurations.clusters(prod("probe: {size: 1000000}")).get(0);
        ClusterConfig given =
                Configurations.clusters(prod("producer: {buffer.memory: 70000}")).get(0);

        assertThat(large.producerProperties(7))
                .containsEntry("max.in.flight.requests.per.connection", "1")
                .containsEntry("client.id", "phasewise-canary-prod-producer-7")
                .containsEntry("buffer.memory", String.valueOf(64 * 1_001_040));
        assertThat(given.producerProperties(7)).containsEntry("buffer.memory", "70000");
    }

    @Test
    void clocksAreTaughtByTheLeaderAloneUnderAnotherName() throws Exception {
        assertThat(Configurations.clusters(prod("")).get(0).teachingProperties(3))
                .containsEntry("acks", "1")
                .containsEntry("enable.idempotence", "false")
                .containsEntry("client.id", "clock-of-phasewise-canary-prod-producer-3");
    }

    private static KafkaConfig with(Map<String, String> client, Map<String, String> producer) {
        return new KafkaConfig("b:1", client, producer, Map.of(), Map.of());
    }
}
