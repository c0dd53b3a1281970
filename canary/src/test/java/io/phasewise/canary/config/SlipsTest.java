/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static io.phasewise.canary.config.Configurations.load;
import static io.phasewise.canary.config.Configurations.prod;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlipsTest {
    private static final List<String> KNOWN = List.of("acks", "linger.ms", "sasl.mechanism");

    @ParameterizedTest
    @CsvSource({
        "sasl.mechansim, sasl.mechanism",
        "sasl.mechanisms, sasl.mechanism",
        "sasl.mechanis, sasl.mechanism",
        "sasl.mechanizm, sasl.mechanism",
        "sasl_mechanism, sasl.mechanism",
        "saslMechanism, sasl.mechanism",
        "LINGER.MS, linger.ms",
        "ack, acks"
    })
    void oneSlipOfTheHandIsOne(String name, String meant) {
        assertThat(Slips.meant(name, KNOWN)).contains(meant);
    }

    @ParameterizedTest
    @ValueSource(strings = {"acks", "linger", "sasl.mech", "sasl.mechanism.own", "", "a", "mechanism.sasl"})
    void whatIsRightOrFurtherAwayIsNone(String name) {
        assertThat(Slips.meant(name, KNOWN)).isEmpty();
    }

    /** Names that plugins and other clients are known to read. */
    @Test
    void namesOfPluginsArePassedOn() throws Exception {
        List<String> names = List.of(
                "schema.registry.url",
                "basic.auth.credentials.source",
                "confluent.monitoring.interceptor.topic",
                "aws.glue.region",
                "strimzi.authorization.token",
                "oauth.token.endpoint.uri",
                "otel.service.name",
                "prometheus.metrics.reporter.listener.enable",
                "sasl.enabled.mechanisms",
                "ssl.client.auth",
                "transaction.state.log.min.isr",
                "my.plugin.level");
        for (String name : names) {
            assertThat(load(prod("client: {" + name + ": x}")).warnings())
                    .as(name)
                    .singleElement()
                    .asString()
                    .contains(name);
        }
    }
}
