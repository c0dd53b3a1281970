/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.common.phase.Phase;
import io.phasewise.lab.measure.Scrape;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Delays of a size that networks have, on a machine that does nothing else; and what the canary
 * says of brokers that nothing delays.
 */
@Tag("long")
class DelaysAtLengthIT extends Delays {
    private static final Duration BOUND = Duration.ofSeconds(60);

    DelaysAtLengthIT() {
        super(100, 5, Rigor.exact(5, Duration.ofMinutes(5)));
    }

    @Test
    void theStatusPageAndTheGaugesSayTheSameOfABrokerAtRest() {
        await("at rest")
                .atMost(BOUND)
                .untilAsserted(
                        () -> {
                            Scrape scrape = pages().scrape();
                            for (int broker : ALL) {
                                assertAtRest(scrape, broker);
                            }
                            assertThat(scrape.values().get("kafka_canary_hiccup_seconds_count"))
                                    .isGreaterThan(1_000);
                            assertThat(broker().get("clockUncertaintySeconds").asDouble())
                                    .isBetween(0.0, 0.01);
                        });
        JsonNode broker = broker();
        double sum = 0;
        for (Phase phase : Phase.values()) {
            sum += broker.get("meanPhaseSeconds").get(phase.label()).asDouble();
        }
        assertThat(sum).isGreaterThan(0);
        assertThat(pages().cluster("it").get("lanes").asInt()).isBetween(1, 16);
    }

    private JsonNode broker() {
        return pages().cluster("it").get("brokers").get(0);
    }

    private static void assertAtRest(Scrape scrape, int id) {
        String[] labels = {PhaseSums.profile("default"), "broker=\"" + id + "\""};
        double uncertainty = scrape.sum("kafka_canary_clock_uncertainty_seconds", labels);
        assertThat(scrape.sum("kafka_canary_network_one_way_delay_seconds", labels))
                .isBetween(1e-6, 0.005);
        assertThat(Math.abs(scrape.sum("kafka_canary_clock_offset_seconds", labels)))
                .as("the same host's clock")
                .isLessThan(uncertainty + 0.001);
        assertThat(scrape.sum("kafka_canary_clock_steps_total", labels)).isZero();
    }
}
