/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.ops.telemetry.ClientMetricsSubscription.Subscription;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TelemetryCommandTest {

    private static String mending(Map<String, String> settings) {
        return TelemetryCommand.command(
                "bin/phasewise",
                "enable",
                "phasewise",
                List.of("--bootstrap-server", "a:9092"),
                TelemetryCommand.again(new Subscription("phasewise", settings)));
    }

    /** Without them it would ask other clients than before, and more often. */
    @Test
    void whatMendsOursKeepsItsIntervalAndItsConditions() {
        assertThat(mending(Map.of(
                        "interval.ms",
                        "60500",
                        "match",
                        "client_software_version=(?!2[.]5).*,client_id=orders.*, client_source_port=1|2")))
                .isEqualTo("bin/phasewise telemetry enable --bootstrap-server a:9092 --name phasewise --interval 61"
                        + " --match 'client_id=orders.*' --match 'client_source_port=1|2'");
        assertThat(mending(Map.of())).endsWith(" --name phasewise --interval 300");
    }
}
