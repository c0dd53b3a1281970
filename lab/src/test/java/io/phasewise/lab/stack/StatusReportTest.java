/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.common.progress.Terminal;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatusReportTest {

    private final StatusReport report =
            new StatusReport(
                    List.of(
                            Samples.running("broker-1", Samples.alive()),
                            Samples.running("canary", Samples.gone())),
                    Map.of("broker-1", Health.GOOD, "canary", Health.bad("its process is gone")));

    @Test
    void theTableHasARowForEachComponent() {
        String pid = Long.toString(Samples.alive().pid());
        String gap = " ".repeat(Math.max(3, pid.length()) + 2);

        assertThat(report.table(Terminal.plain(), ZoneOffset.UTC))
                .containsExactly(
                        "COMPONENT  PID"
                                + gap.substring(3)
                                + "PORT   HEALTHY                  SINCE",
                        "broker-1   "
                                + pid
                                + gap.substring(pid.length())
                                + "19092  yes                      2026-01-02 03:04:05",
                        "canary     -"
                                + gap.substring(1)
                                + "9470   no: its process is gone  2026-01-02 03:04:05");
    }

    @Test
    void onATerminalHealthIsColoured() {
        assertThat(report.table(new Terminal(true, true, true), ZoneOffset.UTC))
                .satisfiesExactly(
                        header -> assertThat(header).doesNotContain("\u001b"),
                        broker -> assertThat(broker).contains("\u001b[32myes"),
                        canary -> assertThat(canary).contains("\u001b[31mno"));
    }

    @Test
    void theJsonIsThatOfTheContract() throws Exception {
        JsonNode components = new ObjectMapper().readTree(report.json()).path("components");

        JsonNode broker = components.path(0);
        assertThat(broker.path("name").asText()).isEqualTo("broker-1");
        assertThat(broker.path("kind").asText()).isEqualTo("broker");
        assertThat(broker.path("pid").asLong()).isEqualTo(ProcessHandle.current().pid());
        assertThat(broker.path("port").asInt()).isEqualTo(19092);
        assertThat(broker.path("bootstrap").asText()).isEqualTo("127.0.0.1:19092");
        assertThat(broker.path("metricsUrl").asText()).isEqualTo("http://127.0.0.1:7071/metrics");
        assertThat(broker.path("healthy").booleanValue()).isTrue();
        assertThat(broker.path("since").asText()).isEqualTo("2026-01-02T03:04:05Z");
        JsonNode canary = components.path(1);
        assertThat(canary.path("url").asText()).isEqualTo("http://127.0.0.1:9470");
        assertThat(canary.path("pid").isNull()).isTrue();
        assertThat(canary.path("healthy").booleanValue()).isFalse();
        assertThat(canary.has("bootstrap")).isFalse();
    }
}
