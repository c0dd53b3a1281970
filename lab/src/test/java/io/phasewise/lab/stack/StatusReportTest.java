/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.common.progress.Terminal;
import io.phasewise.lab.process.ProcessIdentity;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatusReportTest {

    private static final ProcessIdentity ALIVE = Samples.alive();

    private final StatusReport report = new StatusReport(
            List.of(Samples.running("broker-1", ALIVE), Samples.running("canary", Samples.gone())),
            Map.of("broker-1", Health.GOOD, "canary", Health.bad("its process is gone")));

    @Test
    void theTableHasARowForEachComponent() {
        String since = ALIVE.started().truncatedTo(ChronoUnit.SECONDS).toString();

        List<String> table = report.table(Terminal.plain(), ZoneOffset.UTC);

        assertThat(table.get(1).indexOf("yes")).isEqualTo(table.get(0).indexOf("HEALTHY"));
        // How wide a column is depends on the pid.
        assertThat(table)
                .extracting(row -> row.replaceAll(" {2,}", "  "))
                .containsExactly(
                        "COMPONENT  PID  PORT  HEALTHY  SINCE",
                        "broker-1  %d  19092  yes  %s"
                                .formatted(
                                        ALIVE.pid(),
                                        since.replaceAll("[TZ]", " ").strip()),
                        "canary  -  9470  no: its process is gone  2026-01-02 03:04:05");
    }

    @Test
    void theStackIsHealthyOnlyIfEveryComponentIs() {
        List<RunningComponent> one = List.of(Samples.running("canary", ALIVE));

        assertThat(report.isHealthy()).isFalse();
        assertThat(new StatusReport(one, Map.of("canary", Health.GOOD)).isHealthy())
                .isTrue();
        // It waits for a broker, and is itself in good health.
        assertThat(new StatusReport(one, Map.of("canary", new Health(true, "not ready"))).isHealthy())
                .isTrue();
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
        JsonNode expected = new ObjectMapper().readTree("""
                                {"components":[
                                  {"name":"broker-1","kind":"broker","pid":%d,
                                   "url":"http://127.0.0.1:7071/metrics","port":19092,
                                   "bootstrap":"127.0.0.1:19092",
                                   "metricsUrl":"http://127.0.0.1:7071/metrics",
                                   "healthy":true,"ready":true,"since":"%s"},
                                  {"name":"canary","kind":"canary","pid":null,
                                   "url":"http://127.0.0.1:9470","port":9470,"healthy":false,"ready":false,
                                   "note":"its process is gone","since":"2026-01-02T03:04:05Z"}]}
                                """.formatted(ALIVE.pid(), ALIVE.started()));

        assertThat(new ObjectMapper().readTree(report.json())).isEqualTo(expected);
    }
}
