/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.slow;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.WallTime;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Ledgers;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProbeJournalTest {
    private static final long MS = 1_000_000;
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final List<String> out = new ArrayList<>();
    private long now = 500 * MS;
    private final ProbeJournal journal = journal(2);
    private final Ledger ledger = ledger(journal);

    @Test
    void aSlowProbeIsKeptAndOneLineOfTheLogWithAllThatIsKnownOfIt() {
        Probe probe = ledger.scheduled(4, 100 * MS);
        ledger.reported(probe, sent(150 * MS, 2 * MS, 103 * MS));
        now = 160 * MS;
        Ledgers.deliver(ledger, probe, now, 77);
        journal.flush();

        assertThat(out)
                .containsExactly("slow probe id=00000000feedbeef-4-0 cluster=prod profile=default leader=1"
                        + " partition=4 offset=77 outcome=delivered"
                        + " due=2026-03-01T11:59:59.940Z end_to_end=60.000ms produce=3.000ms"
                        + " publish=7.000ms commit=30.000ms catch_up=1.000ms fetch=19.000ms"
                        + " dispatched=3.000ms appended=10.000ms committed=40.000ms"
                        + " reached=41.000ms acknowledged=50.000ms waited=2.000ms"
                        + " produce.disk.1=3.000ms publish.disk.1=7.000ms commit.disk.1=30.000ms"
                        + " catch_up.disk.1=1.000ms fetch.disk.1=19.000ms stalled=true"
                        + " stalled_for=30.000ms");
        assertThat(journal.slowest()).extracting(ProbeReport::id).containsExactly("00000000feedbeef-4-0");
        assertThat(journal.undelivered()).isEmpty();
    }

    @Test
    void whatMetTheTargetIsNotLogged() {
        now = 160 * MS;
        Ledgers.deliver(ledger, ledger.scheduled(4, 110 * MS), now, 77);
        ledger.sweep(10_000 * MS);
        journal.flush();

        assertThat(out).isEmpty();
        assertThat(journal.slowest()).hasSize(1);
    }

    @Test
    void aLostProbeSaysHowFarItGot() {
        Probe acknowledged = ledger.scheduled(4, 100 * MS);
        ledger.scheduled(4, 101 * MS);
        ledger.reported(acknowledged, sent(150 * MS, 0, 103 * MS, 105 * MS));
        now = 61_000 * MS;
        ledger.sweep(now);
        journal.flush();

        assertThat(journal.undelivered())
                .extracting(ProbeReport::id)
                .as("latest first")
                .containsExactly("00000000feedbeef-4-1", "00000000feedbeef-4-0");
        assertThat(out)
                .containsExactly(
                        "undelivered probe id=00000000feedbeef-4-0 cluster=prod profile=default"
                                + " leader=1 partition=4 outcome=lost due=2026-03-01T11:58:59.100Z"
                                + " dispatched=5.000ms acknowledged=50.000ms",
                        "undelivered probe id=00000000feedbeef-4-1 cluster=prod profile=default"
                                + " leader=1 partition=4 outcome=lost due=2026-03-01T11:58:59.101Z"
                                + " dispatched=never acknowledged=never");
    }

    @Test
    void aFailedProbeIsNeverAcknowledged() {
        Probe probe = ledger.scheduled(4, 100 * MS);
        ledger.reported(probe, sent(Instants.UNKNOWN, 0, 103 * MS));
        ledger.sendFailed(probe);

        Trip entry = journal.undelivered().get(0).trip();
        assertThat(entry.outcome()).isEqualTo(Outcome.SEND_FAILED);
        assertThat(entry.dispatchedNanos()).hasValue(3 * MS);
        assertThat(entry.acknowledgedNanos()).isEmpty();
    }

    @Test
    void onlySoManyUndeliveredProbesAreKeptAndNoneForLongerThanAnHour() {
        for (int i = 0; i < 5; i++) {
            ledger.sendFailed(ledger.scheduled(4, i));
        }
        assertThat(journal.undelivered())
                .extracting(ProbeReport::id)
                .containsExactly("00000000feedbeef-4-4", "00000000feedbeef-4-3");

        now += Duration.ofHours(1).toNanos() + 1;

        assertThat(journal.undelivered()).isEmpty();
    }

    @Test
    void keepingNoneKeepsNone() {
        ProbeJournal none = journal(0);
        Ledger other = ledger(none);
        other.sendFailed(other.scheduled(4, 0));
        Ledgers.deliver(other, other.scheduled(4, 100 * MS), 160 * MS, 77);

        assertThat(none.slowest()).isEmpty();
        assertThat(none.undelivered()).isEmpty();
    }

    private ProbeJournal journal(int keep) {
        return new ProbeJournal(
                keep,
                10,
                Duration.ofMillis(50),
                new ProbeSource(
                        "prod",
                        "default",
                        "topic",
                        0xfeedbeefL,
                        new WallTime(() -> NOON, () -> now),
                        (start, end) -> start == 100 * MS && end == 160 * MS ? 30 * MS : 0),
                () -> now,
                out::add);
    }

    private static Ledger ledger(ProbeJournal journal) {
        return new Ledgers()
                .split(
                        trip -> Ledgers.split(
                                instants(trip.dueNanos(), trip.delivery().atNanos())),
                        journal)
                .leading(4, 1);
    }

    private static Instants instants(long t0, long t5) {
        return t5 - t0 == 60 * MS
                ? new Instants(t0, t0 + 3 * MS, t0 + 10 * MS, t0 + 40 * MS, t0 + 41 * MS, t5)
                : new Instants(t0, t0, t0, t0, t0, t5);
    }

    private static SendResult sent(long acknowledged, long waited, Long... dispatches) {
        return SendResult.of(List.of(dispatches), acknowledged, 1, List.of(), 102 * MS, waited, null);
    }
}
