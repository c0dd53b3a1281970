/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.trip.Delivery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Simulated traffic through a ledger, at the default settings: three leaders, each with 20 probes a
 * second by a Poisson process, a target of 50 ms and a deadline of 5 s. No clock but the
 * simulation's own, and fixed seeds.
 */
class OutageSuspicionTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1_000 * MS;
    private static final long NEVER = Long.MAX_VALUE;
    private static final long TICK = 100 * MS;
    private static final int LEADERS = 3;

    /** When a probe comes back that is due then, or {@link #NEVER}. */
    private interface Path {
        long back(int leader, long due);
    }

    private static final Path HEALTHY = (leader, due) -> due + 5 * MS;

    /** From a minute after the start on, nothing comes back from these leaders. */
    private static Path gone(int... leaders) {
        return (leader, due) ->
                due < 60 * SECOND || IntStream.of(leaders).noneMatch(gone -> gone == leader) ? due + 5 * MS : NEVER;
    }

    /** A stretch of time with the answer to the first question of an outage. */
    private final class Simulation {
        private record Arrival(long at, int leader, long sequence) {}

        private final SplittableRandom random;
        private final double rate;
        private final Path path;
        private final Ledger ledger;
        private final long[] nextDue = new long[LEADERS];
        private final PriorityQueue<Arrival> underWay = new PriorityQueue<>(Comparator.comparingLong(Arrival::at));
        private long now;

        /** From when on an outage was suspected, and until when. */
        private final List<long[]> suspicions = new ArrayList<>();

        Simulation(long seed, double rate, Path path, LongBinaryOperator stalled) {
            this.random = new SplittableRandom(seed);
            this.rate = rate;
            this.path = path;
            this.ledger = new Ledgers().stalled(stalled).make();
            for (int leader = 0; leader < LEADERS; leader++) {
                ledger.lead(leader, leader + 1);
                nextDue[leader] = gap();
            }
            // Looks are at any time, not at the slices' ends.
            now = random.nextLong(TICK);
        }

        Simulation(long seed, Path path) {
            this(seed, 20, path, (from, to) -> 0);
        }

        private long gap() {
            return (long) (-Math.log(1 - random.nextDouble()) / rate * SECOND);
        }

        Simulation until(long end) {
            while (now < end) {
                lookAt(now + TICK);
            }
            return this;
        }

        /** A look; what was due and what came back before it is taken in first. */
        void lookAt(long at) {
            now = at;
            for (int leader = 0; leader < LEADERS; leader++) {
                for (; nextDue[leader] <= now; nextDue[leader] += gap()) {
                    long due = nextDue[leader];
                    Probe probe = ledger.scheduled(leader, due);
                    long back = path.back(leader + 1, due);
                    if (back != NEVER) {
                        underWay.add(new Arrival(back, leader, probe.sequence()));
                    }
                }
            }
            while (!underWay.isEmpty() && underWay.peek().at() <= now) {
                Arrival arrival = underWay.remove();
                ledger.delivered(
                        arrival.leader(), arrival.sequence(), new Delivery(arrival.at(), 0, arrival.sequence()));
            }
            ledger.sweep(now);
            if (ledger.suspectsOutage() && !isSuspected()) {
                suspicions.add(new long[] {now, NEVER});
            } else if (!ledger.suspectsOutage() && isSuspected()) {
                suspicions.get(suspicions.size() - 1)[1] = now;
            }
        }

        boolean isSuspected() {
            return !suspicions.isEmpty() && suspicions.get(suspicions.size() - 1)[1] == NEVER;
        }
    }

    @Test
    void anOutageIsSuspectedOnceAfterAboutFourSeconds() {
        for (int outage = 0; outage < 200; outage++) {
            long begin = 60 * SECOND + outage * 13 * MS;
            Path fromThenOn = (leader, due) -> due + 5 * MS < begin ? due + 5 * MS : NEVER;
            Simulation simulation = new Simulation(outage, fromThenOn).until(120 * SECOND);
            assertThat(simulation.suspicions).as("outage %d", outage).hasSize(1);
            assertThat(simulation.isSuspected()).isTrue();
            assertThat(simulation.suspicions.get(0)[0] - begin)
                    .as("outage %d", outage)
                    .isBetween(3_750 * MS, 4_400 * MS);
        }
    }

    @Test
    void twoLeadersOfThreeThatAreGoneAreAnOutageAndOneIsNone() {
        for (int seed = 0; seed < 10; seed++) {
            assertThat(new Simulation(seed, gone(2, 3)).until(70 * SECOND).isSuspected())
                    .isTrue();
            assertThat(new Simulation(seed, gone(3)).until(660 * SECOND).suspicions)
                    .isEmpty();
        }
        Simulation rare = new Simulation(1, 1, gone(3), (from, to) -> 0);
        assertThat(rare.until(24 * 3600 * SECOND).suspicions)
                .as("a probe a second")
                .isEmpty();
    }

    @Test
    void sixHoursWithAStallOfUpToThreeAndAHalfSecondsInEachMinuteAreNoOutage() {
        Simulation healthy = new Simulation(6, stalls(3_500 * MS));
        assertThat(healthy.until(6 * 3600 * SECOND).suspicions).isEmpty();
    }

    @Test
    void aStallThatLastsIsSuspectedAndOverWithinTenSecondsOfItsEnd() {
        Path stall = (leader, due) -> due >= 60 * SECOND && due < 66 * SECOND ? 66 * SECOND : due + 5 * MS;
        Simulation stalled = new Simulation(7, stall);
        stalled.until(120 * SECOND);
        assertThat(stalled.suspicions).hasSize(1);
        assertThat(stalled.suspicions.get(0)[0]).isLessThan(65 * SECOND);
        assertThat(stalled.suspicions.get(0)[1]).isBetween(70 * SECOND, 76 * SECOND);
    }

    /** Every probe of a stall comes back when it ends; they begin at random, one a minute. */
    private static Path stalls(long longest) {
        return (leader, due) -> {
            long minute = due / (60 * SECOND);
            SplittableRandom random = new SplittableRandom(minute);
            long begin = minute * 60 * SECOND + random.nextLong(50 * SECOND);
            long end = begin + (minute % 2 == 0 ? longest : random.nextLong(longest));
            return due >= begin && due < end ? end : due + 5 * MS;
        };
    }

    /** The canary is paused in between. */
    private static LongBinaryOperator stopped(long begin, long end) {
        return (from, to) -> Math.max(0, Math.min(to, end) - Math.max(from, begin));
    }

    /** From the second minute on it is paused at the beginning of each cycle. */
    @ParameterizedTest
    @CsvSource({"4000, 3000, 3800", "60000, 10000, 10800"})
    void aCanaryThatIsStoppedSuspectsNobody(long cycleMs, long pauseMs, long answersMs) {
        long cycle = cycleMs * MS;
        Path answers = (leader, due) ->
                due < 60 * SECOND || due % cycle > answersMs * MS ? due + 5 * MS : due - due % cycle + answersMs * MS;
        LongUnaryOperator stalled = until -> {
            long since = Math.max(0, until - 60 * SECOND);
            return since / cycle * pauseMs * MS + Math.min(since % cycle, pauseMs * MS);
        };
        Simulation starved =
                new Simulation(14, 20, answers, (from, to) -> stalled.applyAsLong(to) - stalled.applyAsLong(from));
        for (long begin = 60 * SECOND; begin < 180 * SECOND; begin += cycle) {
            starved.until(begin);
            starved.lookAt(begin + pauseMs * MS);
        }
        assertThat(starved.suspicions).isEmpty();
    }

    @Test
    void aCanaryThatIsStoppedInAnOutageGoesOnSuspecting() {
        long end = 80 * SECOND;
        Simulation stopped = new Simulation(9, 20, gone(1, 2, 3), stopped(70 * SECOND, end));
        stopped.until(70 * SECOND);
        stopped.lookAt(end);
        stopped.until(120 * SECOND);
        assertThat(stopped.suspicions).hasSize(1);
        assertThat(stopped.isSuspected()).isTrue();
    }

    @Test
    void withoutProbesASuspicionIsOverAfterAMinute() {
        Simulation paused = new Simulation(10, gone(1, 2, 3)).until(70 * SECOND);
        assertThat(paused.isSuspected()).isTrue();
        for (int leader = 0; leader < LEADERS; leader++) {
            paused.nextDue[leader] = NEVER / 2;
        }
        assertThat(paused.until(120 * SECOND).isSuspected()).isTrue();
        assertThat(paused.until(133 * SECOND).isSuspected()).isFalse();
    }

    @Test
    void aCanaryThatStartsInAnOutageLeavesItToTheDeadline() {
        Simulation started = new Simulation(13, (leader, due) -> NEVER).until(60 * SECOND);
        assertThat(started.suspicions).isEmpty();
        assertThat(started.ledger.verdicts().bad()).isGreaterThan(1_000);
    }

    @Test
    void aFailedSendIsAsGoodAsOverdueButIsInFlightNoMore() {
        Simulation failing = new Simulation(11, HEALTHY).until(10 * SECOND);
        Ledger ledger = failing.ledger;
        assertThat(ledger.suspectsOutage()).isFalse();
        for (long now = failing.now; now < 20 * SECOND; now += TICK) {
            for (int leader = 0; leader < LEADERS; leader++) {
                ledger.sendFailed(ledger.scheduled(leader, now));
            }
            ledger.sweep(now);
        }
        assertThat(ledger.suspectsOutage()).isTrue();
        assertThat(ledger.counts().get(0).overdue()).isZero();
    }
}
