/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.OpenProbe;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.canary.trip.SendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class LedgerTest {
    private static final long MS = 1_000_000;

    private final RecordedLatencies latencies = new RecordedLatencies();
    private final List<Probe> probes = new ArrayList<>();
    private final RecordedTrips trips = new RecordedTrips();
    private LongBinaryOperator stalled = (from, to) -> 0;
    private final Ledger ledger = new Ledgers()
            .recorders(leader -> latencies)
            .closed(trips)
            .stalled((from, to) -> stalled.applyAsLong(from, to))
            .make();

    LedgerTest() {
        trips.outsideTheLockOf(ledger);
        ledger.lead(0, 1);
    }

    private void deliver(Probe probe, long atNanos, long offset) {
        Delivery delivery = new Delivery(atNanos, Delivery.NO_APPEND_TIME, offset);
        assertThat(ledger.delivered(0, probe.sequence(), delivery)).isTrue();
    }

    private void acknowledge(Probe probe, long offset) {
        ledger.reported(probe, Ledgers.acknowledged(probe.dueNanos(), offset));
    }

    /** What is not zero of the first leader's counts. */
    private String counts() {
        return counts(ledger.counts().get(0));
    }

    private static String counts(LeaderCounts of) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (Outcome outcome : Outcome.values()) {
            counts.put(outcome.label(), of.outcomes().of(outcome));
        }
        counts.put("in flight", of.inFlight());
        counts.put("overdue", of.overdue());
        counts.put("duplicates", of.duplicates());
        counts.put("out of order", of.outOfOrder());
        counts.put("resurfaced", of.resurfaced());
        counts.put("good", of.verdicts().good());
        counts.put("bad", of.verdicts().bad());
        counts.put("own", of.verdicts().stalledBad());
        return counts.entrySet().stream()
                .filter(count -> count.getValue() != 0)
                .map(count -> count.getKey() + " " + count.getValue())
                .collect(joining(", "));
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "stories.csv", delimiter = '|')
    void countsAndObservesWhatBecomesOfProbes(String what, String story, String counts, String latenciesInMillis) {
        for (String step : story.split("; ")) {
            happens(step);
        }

        assertThat(counts()).isEqualTo(counts);
        String[] observed = latenciesInMillis == null ? new String[0] : latenciesInMillis.split(" ");
        assertThat(latencies.endToEnd)
                .isEqualTo(Arrays.stream(observed).map(LedgerTest::nanos).toList());
    }

    /** Probes are numbered as they become due; a record lies at the offset that follows "as". */
    private void happens(String step) {
        String[] words = step.split(" ");
        switch (words[0]) {
            case "due" -> probes.add(ledger.scheduled(0, nanos(words[1])));
            case "stall" -> stalls(nanos(words[1]), nanos(words[2]));
            case "sweep" -> ledger.sweep(nanos(words[1]));
            case "failed" -> ledger.sendFailed(probe(words));
            case "acknowledged" -> acknowledge(probe(words), Long.parseLong(words[3]));
            default -> {
                long offset = words.length > 4 ? Long.parseLong(words[5]) : 0;
                deliver(probe(words), nanos(words[3]), offset);
            }
        }
    }

    private void stalls(long begin, long end) {
        stalled = (from, to) -> Math.max(0, Math.min(to, end) - Math.max(from, begin));
    }

    private Probe probe(String[] words) {
        return probes.get(Integer.parseInt(words[1]));
    }

    private static long nanos(String millis) {
        return Math.round(Double.parseDouble(millis) * MS);
    }

    @Test
    void whateverHasNoOutcomeYetIsInFlight() {
        ledger.lead(1, 2);
        Probe first = ledger.scheduled(0, 0);
        ledger.scheduled(1, 0);
        assertThat(ledger.inFlight()).isEqualTo(2);
        ledger.sendFailed(first);
        assertThat(ledger.inFlight()).isEqualTo(1);
        assertThat(ledger.underWay(0)).isFalse();
        assertThat(ledger.underWay(1)).isTrue();
        ledger.sweep(60_001 * MS);
        assertThat(ledger.inFlight()).isZero();
        assertThat(ledger.underWay(1)).isFalse();
        assertThat(ledger.underWay(9)).as("of which nothing is known").isFalse();
    }

    @Test
    void anAcknowledgementIsProducerLatencyFromWhenItWasDueAndEndsNothing() {
        ledger.acknowledged(ledger.scheduled(0, 0), 10);
        assertThat(latencies.producer).containsExactly(10L);
        assertThat(counts()).isEqualTo("in flight 1");
    }

    @Test
    void eachTripIsClosedOnceWithWhatIsKnownAndWithoutTheLock() {
        Probe seen = ledger.scheduled(0, 0);
        Probe failed = ledger.scheduled(0, 1);
        Probe lost = ledger.scheduled(0, 2);
        Probe lostAndBack = ledger.scheduled(0, 3);
        acknowledge(seen, 5);
        deliver(seen, MS, 5);
        deliver(seen, MS, 5);
        ledger.sendFailed(failed);
        ledger.sendFailed(failed);
        acknowledge(lost, 6);
        deliver(lostAndBack, 61_000 * MS, 7);
        ledger.sweep(61_000 * MS);
        assertThat(trips.events)
                .containsExactly(
                        "delivered 0 DELIVERED",
                        "undelivered 1 SEND_FAILED",
                        "undelivered 3 LOST",
                        "undelivered 2 LOST at 6");
        assertThat(trips.locked()).isFalse();
    }

    @Test
    void aBrokerThatLeftIsForgottenAfterAWhileAndTheVerdictsStay() {
        ledger.sendFailed(ledger.scheduled(0, 0));
        Probe last = ledger.scheduled(0, 1);
        long hour = LeaderAccounts.MEMORY.toNanos();

        assertThat(ledger.retainBrokers(Set.of(2), 0)).isEmpty();
        assertThat(ledger.retainBrokers(Set.of(2), 2 * hour))
                .as("one is under way")
                .isEmpty();
        ledger.sendFailed(last);
        ledger.retainBrokers(Set.of(2), 3 * hour);
        assertThat(ledger.retainBrokers(Set.of(1, 2), 3 * hour + 1))
                .as("it came back")
                .isEmpty();
        assertThat(ledger.retainBrokers(Set.of(2), 4 * hour)).isEmpty();
        assertThat(ledger.retainBrokers(Set.of(2), 5 * hour))
                .as("not for so long")
                .isEmpty();
        assertThat(ledger.retainBrokers(Set.of(2), 5 * hour + 1)).containsExactly(1);

        assertThat(ledger.counts()).isEmpty();
        assertThat(ledger.verdicts().bad()).isEqualTo(2);
        ledger.lead(0, 1);
        ledger.scheduled(0, 2);
        assertThat(counts()).as("it begins anew").isEqualTo("in flight 1");
    }

    @Test
    void aProbeBelongsToWhoLedWhenItWasScheduled() {
        RecordedLatencies next = new RecordedLatencies();
        Map<Integer, LatencyRecorder> recorders = Map.of(1, latencies, 2, next);
        Ledger moved = new Ledgers().recorders(recorders::get).leading(0, 1);
        Probe probe = moved.scheduled(0, 0);
        moved.lead(0, 2);
        moved.scheduled(0, 1);
        Ledgers.deliver(moved, probe, MS, 0);
        assertThat(probe.leader()).isEqualTo(1);
        assertThat(moved.counts()).extracting(LedgerTest::counts).containsExactly("delivered 1, good 1", "in flight 1");
        assertThat(latencies.endToEnd).as("whose latency it is").hasSize(1);
        assertThat(next.endToEnd).isEmpty();
    }

    @Test
    void aProbeThatWasNeverScheduledIsNone() {
        ledger.scheduled(0, 0);
        Delivery delivery = new Delivery(MS, Delivery.NO_APPEND_TIME, 0);
        assertThat(ledger.delivered(0, 1, delivery)).isFalse();
        assertThat(ledger.delivered(0, -1, delivery)).isFalse();
        assertThat(ledger.delivered(9, 0, delivery)).isFalse();
        assertThat(counts()).isEqualTo("in flight 1");
    }

    @Test
    void aPartitionWithoutALeaderTakesNoProbes() {
        assertThatIllegalStateException().isThrownBy(() -> ledger.scheduled(5, 0));
    }

    @Test
    void openProbesAreToldTheOldestFirstAndPartitionsTakeTurns() {
        Ledger ledger = Ledgers.counting();
        ledger.lead(0, 1);
        ledger.lead(1, 2);
        for (int i = 0; i < 10; i++) {
            ledger.scheduled(0, i);
        }
        Probe later = ledger.scheduled(1, 50);
        later.handedOver(60);
        SendResult sent = Ledgers.acknowledged(70, 3);
        ledger.reported(later, sent);

        List<OpenProbe> open = ledger.open(100, Duration.ofNanos(20), 4);
        assertThat(open).extracting(OpenProbe::leader).containsExactly(1, 2, 1, 1);
        assertThat(open).extracting(OpenProbe::dueNanos).containsExactly(0L, 50L, 1L, 2L);
        assertThat(open.get(0).isHandedOver()).isFalse();
        assertThat(open.get(1)).isEqualTo(new OpenProbe(1, 2, 50, 60, Optional.of(sent)));
        assertThat(ledger.open(100, Duration.ofNanos(20), 1_000)).hasSize(11);
    }

    @Test
    void whatIsTooYoungOrHasAnOutcomeIsNotOpen() {
        Ledger ledger = Ledgers.counting();
        ledger.lead(0, 1);
        Probe back = ledger.scheduled(0, 0);
        Probe failed = ledger.scheduled(0, 1);
        Probe open = ledger.scheduled(0, 2);
        ledger.scheduled(0, 90);
        Ledgers.deliver(ledger, back, 10, 0);
        ledger.sendFailed(failed);

        assertThat(ledger.open(100, Duration.ofNanos(20), 10))
                .extracting(OpenProbe::dueNanos)
                .containsExactly(open.dueNanos());
        Ledgers.deliver(ledger, open, 101, 2);
        assertThat(ledger.open(102, Duration.ofNanos(20), 10)).isEmpty();
    }
}
