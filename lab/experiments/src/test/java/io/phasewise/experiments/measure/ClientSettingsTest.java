/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
}
