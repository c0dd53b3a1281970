/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.plan.Load;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProducersTest {
    @Test
    void whatIsRecordedOfALoadsProducersHoldsDefaultsAndNoSecret() {
        Load load = new Load(2, 10, 100, 12, 3, Map.of("linger.ms", "7"));
        Map<String, Object> client =
                Map.of(
                        "bootstrap.servers",
                        "127.0.0.1:1",
                        "security.protocol",
                        "SASL_PLAINTEXT",
                        "sasl.jaas.config",
                        "Module required password=\"secret\";");

        Map<String, String> settings = Producers.settings(load, client);

        assertThat(settings)
                .containsEntry("linger.ms", "7")
                .containsEntry("max.block.ms", "0")
                .containsEntry("acks", "-1")
                .containsEntry("security.protocol", "SASL_PLAINTEXT")
                .containsEntry("sasl.jaas.config", "[hidden]");
        assertThat(settings.values()).noneMatch(value -> value.contains("secret"));
    }
}
