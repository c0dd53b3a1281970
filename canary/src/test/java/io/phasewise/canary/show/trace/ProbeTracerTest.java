/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.WallTime;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Ledgers;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.show.slow.ProbeReport;
import io.phasewise.canary.show.slow.ProbeSource;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProbeTracerTest {
    private static final long MS = 1_000_000;
    private static final long INSTANCE = 0xfeedbeefL;
    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00.123456789Z");

    private final List<ProbeTrace> taken = new ArrayList<>();
    private long now;
    private final ProbeSource source = new ProbeSource(
            "prod",
            "default",
            "topic",
            INSTANCE,
            new WallTime(() -> NOON, () -> now),
            (start, end) -> start == 100 * MS && end == 160 * MS ? MS : 0);

    @Test
    void aSlowProbeBecomesATraceWithAllThatIsKnownOfIt() {
        Ledger ledger = ledger(0);
        long due = 100 * MS;
        Probe probe = ledger.scheduled(4, due);
        SendResult sent = SendResult.of(List.of(101 * MS), 110 * MS, 1, List.of(), due, 2 * MS, null);
        ledger.reported(probe, sent);
        now = 165 * MS;
        Ledgers.deliver(ledger, probe, 160 * MS, 77);

        Delivery back = new Delivery(160 * MS, Delivery.NO_APPEND_TIME, 77);
        ProbeReport known = new ProbeReport(
                source,
                NOON.minusMillis(65),
                new Trip(4, 0, 1, due, Outcome.DELIVERED, Optional.of(sent), Optional.of(back), false),
                Optional.of(Ledgers.split(new Instants(due, due, due, due, due, 160 * MS))),
                MS);
        assertThat(taken).containsExactly(new ProbeTrace(TraceId.of(INSTANCE, 4, 0), known, List.of(1, 2), true));
    }

    @Test
    void aProbeOnTargetBecomesNone() {
        Ledger ledger = ledger(0);
        deliver(ledger, 100, 50 * MS);

        assertThat(taken).isEmpty();
    }

    @Test
    void oneInSoManyOfThemDoesTheVeryOnesThatTheRuleTakes() {
        Ledger ledger = ledger(10);
        deliver(ledger, 100, 50 * MS);

        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            if (TraceId.of(INSTANCE, 4, i).oneIn(10)) {
                expected.add("00000000feedbeef-4-" + i);
            }
        }
        assertThat(taken).extracting(trace -> trace.probe().id()).isEqualTo(expected);
        assertThat(expected).hasSizeBetween(1, 30);
    }

    @Test
    void aProbeThatNeverCameBecomesNone() {
        Ledger ledger = ledger(1);
        ledger.sendFailed(ledger.scheduled(4, 0));

        assertThat(taken).isEmpty();
    }

    private static void deliver(Ledger ledger, int probes, long latency) {
        for (int i = 0; i < probes; i++) {
            Probe probe = ledger.scheduled(4, i);
            ledger.reported(probe, Ledgers.acknowledged(i, i));
            Ledgers.deliver(ledger, probe, i + latency, i);
        }
    }

    private Ledger ledger(int oneIn) {
        ProbeTracer tracer = new ProbeTracer(new TraceRule(INSTANCE, Duration.ofMillis(50), oneIn), source, taken::add);
        tracer.inSync(Map.of(4, List.of(1, 2)));
        return new Ledgers().reader(tracer).leading(4, 1);
    }
}
