/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.measure.Scrape;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JudgementTest {
    private static final Instant T = Instant.parse("2026-11-22T12:00:00Z");

    private static final Row ROW =
            new Row(
                    "delay",
                    "100 ms to the leader",
                    scene -> () -> {},
                    Duration.ofSeconds(1),
                    Effect.MOVES_PHASES,
                    Set.of(1),
                    Map.of(Phase.PUBLISH, 100.0),
                    List.of("SLOFastBurn"),
                    Set.of(),
                    Optional.of(new Row.Witness("a wait", 2, "wait", List.of(), 50)),
                    Row.Needs.CLOCK);

    private static final Reading START = reading(100, 100, 0, 100, 10, 0);

    @Test
    void aFaultThatIsFoundWhereItWasPutIsGood() {
        RowResult result =
                judged(
                        105,
                        60,
                        new Alerts(
                                Map.of("SLOFastBurn (critical)", 12.0),
                                List.of(),
                                List.of(),
                                List.of()),
                        reading(150, 148, 2, 148, 14, 1),
                        0,
                        true,
                        List.of());

        assertThat(result.faults()).isEmpty();
        assertThat(result.state()).isEqualTo(RowResult.State.GOOD);
        assertThat(result.canary().alive()).isTrue();
        assertThat(result.added()).containsEntry("publish", 100.0);
        assertThat(result.told()).containsExactly(Map.entry("a wait, broker 2", 60.0));
        assertThat(result.window()).containsEntry("delivered", 1L);
        assertThat(result.scheduled()).isEqualTo(50);
        assertThat(result.outcomes()).containsEntry("delivered", 48L);
        assertThat(result.inFlight()).isEqualTo(2);
        assertThat(result.clockSteps()).isEqualTo(1);
        assertThat(result.alertsWatched()).isTrue();
    }

    @Test
    void whateverIsNotAsItMustBeIsSaid() {
        RowResult result =
                judged(
                        5,
                        Double.NaN,
                        Alerts.NONE,
                        reading(150, 147, 2, 146, 15, 0),
                        3,
                        false,
                        List.of("not recovered 120 s after the mending"));

        assertThat(result.faults())
                .contains(
                        "not recovered 120 s after the mending",
                        "probes took 0 ms longer, injected were 100",
                        "broker 2 told of NaN ms of a wait, at least 50 were expected",
                        "SLOFastBurn did not fire",
                        "no step of the clock was counted",
                        "probes scheduled are not outcomes and in flight",
                        "4 false deliveries",
                        "3 probes with two ends in the log",
                        "the canary has ended",
                        "5 more threads of the canary beside those of lanes",
                        "300 lines of log");
        assertThat(result.told()).as("JSON has no NaN").isEmpty();
    }

    @Test
    void aMachineThatWasTooBusyIsNoReasonToSkipARow() {
        RowResult result =
                judged(
                        105,
                        50,
                        60,
                        new Alerts(
                                Map.of("SLOFastBurn (critical)", 12.0),
                                List.of(),
                                List.of(),
                                List.of()),
                        reading(150, 148, 2, 148, 14, 1),
                        0,
                        true,
                        List.of());

        assertThat(result.faults()).isEmpty();
        assertThat(result.state()).isEqualTo(RowResult.State.NOT_JUDGED);
        assertThat(result.notJudged()).contains("5 ms before and 50 ms after");
        assertThat(result.skipped()).isEmpty();
    }

    private static RowResult judged(
            double millis,
            double told,
            Alerts alerts,
            Reading end,
            int wrong,
            boolean alive,
            List<String> missed) {
        return judged(millis, 5, told, alerts, end, wrong, alive, missed);
    }

    private static RowResult judged(
            double millis,
            double after,
            double told,
            Alerts alerts,
            Reading end,
            int wrong,
            boolean alive,
            List<String> missed) {
        return Judgement.of(
                new Observation(
                        ROW,
                        START,
                        end,
                        List.of(delivered(1, 5), delivered(2, 900)),
                        List.of(delivered(1, millis)),
                        List.of(delivered(1, millis)),
                        List.of(delivered(1, after)),
                        8,
                        told,
                        2.5,
                        wrong,
                        wrong,
                        100L * wrong,
                        alive,
                        Optional.of(alerts),
                        missed));
    }

    private static Reading reading(
            int scheduled, int delivered, int inFlight, int recorded, int threads, int steps) {
        return new Reading(
                Scrape.of(
                        String.join(
                                "\n",
                                "kafka_canary_probes_scheduled_total " + scheduled,
                                "kafka_canary_probes_total{outcome=\"delivered\"} " + delivered,
                                "kafka_canary_probes_in_flight " + inFlight,
                                "kafka_canary_end_to_end_latency_seconds_count " + recorded,
                                "jvm_threads_current " + threads,
                                "kafka_canary_clock_steps_total " + steps,
                                "")));
    }

    private static ProbeRecord delivered(int leader, double millis) {
        return new ProbeRecord(
                0, 0, leader, T, "delivered", millis, millis, new double[] {0, millis, 0, 0, 0}, 0);
    }
}
