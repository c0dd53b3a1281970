/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Ledgers;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.SendResult;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class PhaseEstimatorTest {
    private static final long MS = 1_000_000;
    private static final int BROKER = 7;

    private final PollLog polls = new PollLog(60_000 * MS, 100_000);
    private final BrokerClocks clocks = new BrokerClocks();
    private final PhaseEstimator estimator = new PhaseEstimator(Acks.ALL, Attribution.CRITICAL_PATH, polls, clocks);
    private final Ledger ledger = new Ledgers().leading(0, BROKER);

    PhaseEstimatorTest() {
        polls.entered(0);
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "unstamped.csv", delimiter = '|')
    void splitsByWhatIsKnown(
            String what,
            String roundTrips,
            String dispatched,
            long acknowledged,
            int by,
            long delivered,
            Integer fetchedFrom,
            long produce,
            long publish,
            long commit,
            long fetch) {
        for (String each : roundTrips == null ? new String[0] : roundTrips.split(" ")) {
            String[] of = each.split("=");
            clocks.roundTrip(Integer.parseInt(of[0]), 0, Long.parseLong(of[1]) * MS);
        }
        List<Long> dispatches = Arrays.stream(dispatched.split(" "))
                .map(at -> Long.parseLong(at) * MS)
                .toList();
        int from = fetchedFrom == null ? Delivery.BY_THE_LEADER : fetchedFrom;

        PhaseBreakdown phases = split(
                estimator,
                0,
                sent(dispatches, acknowledged * MS, by),
                new Delivery(delivered * MS, -1, 0, from, Delivery.NO_EPOCH));

        assertThat(phases).isEqualTo(new PhaseBreakdown(produce * MS, publish * MS, commit * MS, 0, fetch * MS));
    }

    @Test
    void aBrokerThatLeftIsForgotten() {
        clocks.roundTrip(BROKER, 0, 2 * MS);
        clocks.roundTrip(BROKER + 1, 0, 2 * MS);

        clocks.retainBrokers(Set.of(BROKER));

        assertThat(clocks.known(BROKER)).isPresent();
        assertThat(clocks.known(BROKER + 1)).isEmpty();
    }

    @Test
    void whatOneProfilesProbesShowOfABrokersClockServesAnother() {
        for (int i = 0; i < 100; i++) {
            long t0 = i * 50 * MS;
            split(t0, List.of(t0 + MS / 10), t0 + MS / 2, t0 + MS, t0 / MS);
        }
        PhaseEstimator other = new PhaseEstimator(Acks.ALL, Attribution.CRITICAL_PATH, polls, clocks);
        long t0 = 5_000 * MS;

        PhaseBreakdown phases =
                split(other, t0, sent(List.of(t0), t0 + 40 * MS, BROKER), new Delivery(t0 + 40 * MS, t0 / MS + 10, 0));

        assertThat(phases.publish()).as("alone it would be the middle of 40 ms").isBetween(9 * MS, 12 * MS);
    }

    @ParameterizedTest
    @CsvSource({"CRITICAL_PATH, 5, 29", "POSITION, 30, 4"})
    void everyRequestThatAProbeWaitedBehindIsChargedByItsPhases(
            Attribution attribution, long produceMillis, long commitMillis) {
        Timeline first = Timeline.ofRequest(0, 0, 0, 10 * MS, 10 * MS, Acks.ALL);
        Timeline second = Timeline.ofRequest(MS, 10 * MS, 10 * MS, 25 * MS, 25 * MS, Acks.ALL);
        Wait[] waits = {new Wait(first, 0, 10 * MS), new Wait(second, 10 * MS, 25 * MS)};

        PhaseBreakdown phases = split(
                new PhaseEstimator(Acks.ALL, attribution, polls, clocks),
                0,
                sent(List.of(30 * MS), 34 * MS, BROKER, waits),
                new Delivery(35 * MS, -1, 0));

        assertThat(phases).isEqualTo(new PhaseBreakdown(produceMillis * MS, 0, commitMillis * MS, 0, 1 * MS));
    }

    /** Of a probe that is due then; the consumer was in poll() all the while. */
    private PhaseBreakdown split(PhaseEstimator by, long t0, SendResult sent, Delivery delivery) {
        Probe probe = ledger.scheduled(0, t0);
        polls.left(delivery.atNanos(), new int[] {0}, 1);
        polls.entered(delivery.atNanos());
        return by.estimate(Ledgers.trip(probe, sent, delivery)).estimated().phases();
    }

    private static SendResult sent(List<Long> dispatches, long acknowledged, int broker, Wait... waits) {
        long handedOver = dispatches.get(0);
        List<Wait> behind = List.of(waits);
        return SendResult.of(dispatches, acknowledged, broker, behind, handedOver, 0, null);
    }

    /**
     * A path that becomes slower while the window still knows how fast it was: each way's delay
     * goes to its own phase. The commit takes 5 ms, so that there is something to mistake it for.
     */
    @ParameterizedTest
    @CsvSource({"40, 0", "0, 40", "30, 30", "10, 50"})
    void aSlowerPathGoesToTheWayThatIsSlower(long outMillis, long backMillis) {
        Random random = new Random(3);
        double publish = 0;
        double commit = 0;
        double fetch = 0;
        int counted = 0;
        for (int i = 0; i < 320; i++) {
            boolean slow = i >= 200;
            long out = MS / 4 + (slow ? outMillis * MS : 0);
            long back = MS / 4 + (slow ? backMillis * MS : 0);
            // So far apart that none is on its way back when the next one is committed: its
            // delivery would be catching up.
            long t0 = i * 100 * MS + random.nextInt(40_000_000);
            long t2 = t0 + out + random.nextInt(300_000);
            long t3 = t2 + 5 * MS + random.nextInt(500_000);
            if (i % 5 == 0) {
                clocks.roundTrip(BROKER, t0, out + back);
            }
            PhaseBreakdown phases = split(t0, List.of(t0), t3 + back, t3 + back + 100_000, t2 / MS + 5_000);
            if (i >= 250) {
                publish += phases.publish() - (t2 - t0);
                commit += phases.commit() - (t3 - t2);
                fetch += phases.fetch() - (back + 100_000);
                counted++;
            }
        }
        assertThat(publish / counted).as("publish, ns off").isCloseTo(0, within(0.5 * MS));
        assertThat(commit / counted).as("commit, ns off").isCloseTo(0, within(0.7 * MS));
        assertThat(fetch / counted).as("fetch, ns off").isCloseTo(0, within(0.7 * MS));
    }

    /** Dispatched after 1 and after 300 ms; a first answer may be lost, of what was written. */
    @ParameterizedTest
    @CsvSource({"301, 299, 302", "2, 0, 3"})
    void failedAttemptsArePublishUntilTheAppendAndNotTheClients(long appendedAfterMillis, long least, long most) {
        assertThat(estimator.appendTimeMissing()).as("nothing seen yet").isFalse();
        for (int i = 1; i < 200; i++) {
            long t0 = i * 50 * MS + i * 7_000;
            split(t0, List.of(t0 + MS), t0 + 3 * MS, t0 + 4 * MS, (t0 + 2 * MS) / MS);
        }
        long t0 = 20_000 * MS;
        List<Long> dispatches = List.of(t0 + MS, t0 + 300 * MS);
        PhaseBreakdown phases = split(t0, dispatches, t0 + 305 * MS, t0 + 306 * MS, 20_000 + appendedAfterMillis);
        assertThat(phases.produce()).isEqualTo(MS);
        assertThat(phases.publish()).isBetween(least * MS, most * MS);
        assertThat(phases.total()).isEqualTo(306 * MS);
        assertThat(estimator.appendTimeMissing()).isFalse();
        split(t0, dispatches, t0 + 305 * MS, t0 + 306 * MS, -1);
        assertThat(estimator.appendTimeMissing()).isTrue();
    }

    @Test
    void aProbeWhoseWayOutIsNotKnownIsSplitByWhatIs() {
        PhaseBreakdown phases = split(estimator, 0, null, new Delivery(10 * MS, 3, 0));

        assertThat(phases.total()).isEqualTo(10 * MS);
        assertThat(phases.produce()).isZero();
    }

    @Test
    void aFailureThatWasDeliveredAllTheSameTeachesNoClock() {
        SendResult failed = sent(List.of(MS), Instants.UNKNOWN, BROKER);
        split(estimator, 0, failed, new Delivery(10 * MS, 3, 0));

        assertThat(clocks.clock(BROKER).offsetNanos(10 * MS)).isEmpty();
    }

    private PhaseBreakdown split(long t0, List<Long> dispatches, long ack, long t5, long appendMillis) {
        return split(estimator, t0, sent(dispatches, ack, BROKER), new Delivery(t5, appendMillis, 0));
    }
}
