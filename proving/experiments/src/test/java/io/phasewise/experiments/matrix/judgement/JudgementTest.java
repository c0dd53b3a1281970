/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.judgement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.experiments.matrix.observation.AlertHistory;
import io.phasewise.experiments.matrix.observation.CounterSnapshot;
import io.phasewise.experiments.matrix.observation.Observation;
import io.phasewise.experiments.matrix.result.RowResult;
import io.phasewise.experiments.matrix.row.DeclaredRows;
import io.phasewise.experiments.matrix.row.Expectation;
import io.phasewise.experiments.matrix.row.Row;
import io.phasewise.experiments.matrix.row.Suspect;
import io.phasewise.experiments.matrix.scene.Scene;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.measure.Probes;
import io.phasewise.lab.measure.Scrape;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JudgementTest {
    private static final Instant T = Instant.parse("2026-11-22T12:00:00Z");
    private static final String DELAY =
            "{kind: slow-path, brokers: [1], path: clients, direction: to-broker, delay: 100ms}";
    private static final CounterSnapshot START = snapshot(100, 100, 0, 100, 10, 0);
    private static final CounterSnapshot END = snapshot(150, 148, 2, 148, 14, 1);

    private final Row delay = DeclaredRows.row(
            "delay",
            DELAY,
            "{leaders: [1], shares: {publish: 1}, suspects: {must: [1 network/publish]},"
                    + " told: {broker: 1, what: a wait, series: wait, least: 50ms}}");
    private final Row down = DeclaredRows.row("down", "[]", "{leaders: [1], probes: {must: [lost], may: [late]}}");
    private final AlertHistory named = new AlertHistory(Set.of(), Set.of());

    @Test
    void whatIsSeenAsDeclaredIsGood() {
        named.suspects(Scene.WITH_EXPORTERS, List.of(Suspect.of("1 network/publish")), 14);

        RowResult result = judged(delay, probes(5, 0, 105));

        assertThat(result.reasons()).isEmpty();
        assertThat(result.state()).isEqualTo(RowResult.State.GOOD);
        assertThat(result.amount()).containsEntry("publish", 100.0);
        assertThat(result.added()).containsEntry("publish", 100.0);
        assertThat(result.ends()).containsEntry("delivered", 5L);
        assertThat(result.brokerMeans()).containsEntry("a wait, broker 1", 60.0);
    }

    @Test
    void theWrongPhaseIsBadAndSoIsTheWrongBroker() {
        named.suspects(Scene.WITH_EXPORTERS, List.of(Suspect.of("2 network/publish")), 14);

        RowResult result = judged(delay, probes(5, 0, 5));

        assertThat(result.state()).isEqualTo(RowResult.State.BAD);
        assertThat(result.faults())
                .containsExactly(
                        "publish grew by 0.0 ms, 0 % of the 100.0 ms that the fault added",
                        "suspect was 2 network/publish, which is wrong",
                        "at the end [2 network/publish] was named, not one of [1 network/publish]");
    }

    @Test
    void aRowOfWhichNothingIsKnownIsNoPass() {
        named.suspects(Scene.WITH_EXPORTERS, List.of(Suspect.of("1 network/publish")), 14);

        RowResult unknown = judged(delay, probes(5, 0, 105), Double.NaN, 60, END, List.of());
        assertThat(unknown.state()).isEqualTo(RowResult.State.NOT_JUDGED);
        assertThat(unknown.notJudged()).isEqualTo("the fault does not know how much it added");

        Row lossy = DeclaredRows.row(
                "lossy",
                DELAY,
                "{leaders: [1], top: [publish], probes: {may: [lost]}, suspects: {may: [1 network/publish]}}");
        RowResult survivors = judged(lossy, probes(2, 3, 105));
        assertThat(survivors.state()).isEqualTo(RowResult.State.NOT_JUDGED);
        assertThat(survivors.added()).as("those that came back say nothing").isEmpty();

        List<Suspect> before = List.of(Suspect.of("3 disk/commit"));
        assertThat(judged(delay, probes(5, 0, 105), 100, 60, END, before).notJudged())
                .isEqualTo("[3 disk/commit] was already named before the fault");
    }

    @Test
    void probesEndAsDeclared() {
        assertThat(judged(down, probes(90, 10, 5)).faults()).isEmpty();
        assertThat(judged(down, probes(90, 2, 5)).faults())
                .containsExactly("2 probes were [LOST]: too few to show an effect");
        assertThat(judged(down, probes(1_471, 29, 5)).faults())
                .as("1.9 % of many")
                .hasSize(1);
        assertThat(judged(down, probes(1_470, 30, 5)).faults())
                .as("2 % of many")
                .isEmpty();
        named.suspects(Scene.WITH_EXPORTERS, List.of(Suspect.of("1 network/publish")), 14);
        assertThat(judged(delay, probes(90, 3, 105)).faults()).containsExactly("3 probes lost; declared: none");
    }

    @Test
    void whateverIsWrongWithTheCanaryIsSaid() {
        named.suspects(Scene.WITH_EXPORTERS, List.of(Suspect.of("1 network/publish")), 14);
        CounterSnapshot end = snapshot(150, 147, 2, 146, 15, 0);

        assertThat(judged(delay, probes(5, 0, 105), 100, 20, end, List.of()).faults())
                .containsExactly(
                        "the exporter of broker 1 shows a mean of 20.0 ms of a wait; declared: at least 50",
                        "probes scheduled are not outcomes and in flight",
                        "1 false deliveries",
                        "5 more threads of the canary beside those of lanes");
    }

    @Test
    void whatABrokerTellsIsOfWhatCameInBetween() {
        Expectation.BrokerMean mean = delay.expect().brokerMean().orElseThrow();

        assertThat(mean.millis(Scrape.of("wait_sum 1.0\nwait_count 10\n"), Scrape.of("wait_sum 3.0\nwait_count 30\n")))
                .isCloseTo(100, within(1e-9));
        assertThat(mean.millis(Scrape.of("wait_mean 10\nwait_count 10\n"), Scrape.of("wait_mean 40\nwait_count 20\n")))
                .as("Kafka's own timers have a mean in milliseconds since their start")
                .isCloseTo(70, within(1e-9));
    }

    /** With 100 ms added by the fault, and a mean of 60 ms at the broker. */
    private RowResult judged(Row row, List<ProbeRecord> during) {
        return judged(row, during, 100, 60, END, List.of());
    }

    private RowResult judged(
            Row row, List<ProbeRecord> during, double amount, double told, CounterSnapshot end, List<Suspect> before) {
        List<ProbeRecord> plain = probes(5, 0, 5);
        return Judgement.of(
                row,
                new Observation(START, end, plain, during, during, plain, amount, 8, told, 2.5, 0, true, before, named),
                false);
    }

    private static List<ProbeRecord> probes(int delivered, int lost, double millis) {
        return Stream.concat(
                        IntStream.range(0, delivered).mapToObj(i -> Probes.delivered(0, i, T, millis)),
                        IntStream.range(0, lost).mapToObj(i -> Probes.lost(1, i, T)))
                .toList();
    }

    private static CounterSnapshot snapshot(
            int scheduled, int delivered, int inFlight, int recorded, int threads, int steps) {
        String page = """
                kafka_canary_probes_scheduled_total %d
                kafka_canary_probes_total{outcome="delivered"} %d
                kafka_canary_probes_in_flight %d
                kafka_canary_end_to_end_latency_seconds_count %d
                jvm_threads_current %d
                kafka_canary_clock_steps_total %d
                """.formatted(scheduled, delivered, inFlight, recorded, threads, steps);
        return new CounterSnapshot(Scrape.of(page), 0, 0);
    }
}
