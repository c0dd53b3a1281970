/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The clock's estimate against a simulated broker whose clock is known. */
class BrokerClockTest {

    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    /** A broker's wall clock that is off, drifts, and can be stepped. */
    private static final class Simulated {
        final Random random;
        final long origin;
        long base;
        double ppm;
        long now;
        double delayScale = 1;

        Simulated(long seed, long offset, double ppm) {
            random = new Random(seed);
            // nanoTime may start anywhere, below zero too.
            origin = random.nextLong() / 4;
            now = origin;
            base = 1_800_000_000L * SECOND - origin + offset;
            this.ppm = ppm;
        }

        long offset(long at) {
            return base + Math.round((at - origin) * ppm / 1e6);
        }

        void step(long nanos) {
            base += nanos;
        }

        /** Changes the rate from now on without a jump. */
        void slew(double newPpm) {
            base += Math.round((now - origin) * (ppm - newPpm) / 1e6);
            ppm = newPpm;
        }

        Sample next(long gap) {
            now += (long) (-Math.log(1 - random.nextDouble()) * gap);
            long dispatched = now;
            long out = (long) (delayScale * (150 * MICRO + exponential(200 * MICRO)));
            long commitAndBack = (long) (delayScale * (150 * MICRO + exponential(600 * MICRO)));
            long appended = dispatched + out;
            long stamp = Math.floorDiv(appended + offset(appended), MILLI);
            return new Sample(dispatched, appended, appended + commitAndBack, stamp);
        }

        private double exponential(long mean) {
            return -Math.log(1 - random.nextDouble()) * mean;
        }
    }

    private record Sample(long dispatched, long appended, long acknowledged, long stamp) {
        AppendEstimate tell(BrokerClock clock) {
            return clock.observe(dispatched, acknowledged, stamp);
        }

        void assertHolds(AppendEstimate estimate) {
            assertThat(appended).isBetween(estimate.earliest(), estimate.latest());
            assertThat(Math.abs(estimate.instant() - appended))
                    .isLessThanOrEqualTo(estimate.uncertaintyNanos());
        }

        void assertWithinBounds(AppendEstimate estimate) {
            assertThat(estimate.earliest()).isGreaterThanOrEqualTo(dispatched);
            assertThat(estimate.latest()).isBetween(estimate.earliest(), acknowledged);
        }
    }

    @Property(tries = 200)
    void trueAppendAndOffsetLieWithinWhatIsStated(
            @ForAll long seed,
            @ForAll @IntRange(min = -5_000, max = 5_000) int offsetMillis,
            @ForAll @IntRange(min = -100, max = 100) int ppm) {
        Simulated broker = new Simulated(seed, offsetMillis * MILLI, ppm);
        BrokerClock clock = BrokerClock.direct();
        for (int i = 0; i < 1_500; i++) {
            Sample sample = broker.next(50 * MILLI);
            AppendEstimate estimate = sample.tell(clock);
            sample.assertHolds(estimate);
            sample.assertWithinBounds(estimate);
            long at = sample.acknowledged() + broker.random.nextInt(100) * MILLI;
            assertThat(Math.abs(clock.offsetNanos(at).getAsLong() - broker.offset(at)))
                    .isLessThanOrEqualTo(clock.uncertaintyNanos(at).getAsLong());
        }
        assertThat(clock.steps()).isZero();
    }

    @Property(tries = 200)
    void clockThatIsBeingSetStaysWithinWhatIsStatedAndIsNoStep(@ForAll long seed) {
        Simulated broker = new Simulated(seed, 0, 10);
        BrokerClock clock = BrokerClock.direct();
        for (int slews = 0; slews < 8; slews++) {
            for (int i = 0; i < 400; i++) {
                Sample sample = broker.next(50 * MILLI);
                sample.assertHolds(sample.tell(clock));
                long at = sample.acknowledged() + broker.random.nextInt(100) * MILLI;
                // What was learnt up to now says nothing of a slew that sets in later.
                assertThat(Math.abs(clock.offsetNanos(at).getAsLong() - broker.offset(at)))
                        .isLessThanOrEqualTo(clock.uncertaintyNanos(at).getAsLong());
            }
            broker.slew(broker.random.nextInt(1_001) - 500);
        }
        assertThat(clock.steps()).isZero();
    }

    @Property(tries = 200)
    void acknowledgementsOutOfOrderChangeNothingOfThat(@ForAll long seed) {
        Simulated broker = new Simulated(seed, 0, 80);
        BrokerClock clock = BrokerClock.direct();
        for (int i = 0; i < 300; i++) {
            Sample early = broker.next(50 * MILLI);
            // Its acknowledgement is held up by a stalled follower, others pass it.
            long stall = broker.random.nextInt(5) * SECOND;
            Sample held =
                    new Sample(
                            early.dispatched(),
                            early.appended(),
                            early.acknowledged() + stall,
                            early.stamp());
            for (int j = 0; j < 5; j++) {
                Sample between = broker.next(50 * MILLI);
                between.assertHolds(between.tell(clock));
            }
            held.assertHolds(held.tell(clock));
        }
        assertThat(clock.steps()).isZero();
    }

    @Property(tries = 100)
    void growthOfTheWayOutIsSeenWhicheverWayTheRestGrows(
            @ForAll long seed, @ForAll @IntRange(max = 100) int outMillis) {
        Simulated broker = new Simulated(seed, 0, 10);
        BrokerClock clock = BrokerClock.direct();
        for (int i = 0; i < 400; i++) {
            broker.next(50 * MILLI).tell(clock);
        }
        long back = broker.random.nextInt(100) * MILLI;
        long now = 0;
        for (int i = 0; i < 200; i++) {
            Sample plain = broker.next(50 * MILLI);
            long appended = plain.appended() + outMillis * MILLI;
            now = plain.acknowledged() + outMillis * MILLI + back;
            new Sample(
                            plain.dispatched(),
                            appended,
                            now,
                            Math.floorDiv(appended + broker.offset(appended), MILLI))
                    .tell(clock);
        }
        // The millisecond and the queues of some forty probes, the drift of some ten seconds.
        assertThat(clock.wayOutGrowthNanos(now).getAsLong())
                .isBetween(
                        Math.max(0, outMillis * MILLI - MILLI / 2), outMillis * MILLI + MILLI / 2);
    }

    @Test
    void growthIsUnknownWhereNoProbeOfTheLastMomentsTells() {
        BrokerClock clock = BrokerClock.direct();
        assertThat(clock.wayOutGrowthNanos(0)).isEmpty();
        clock.observe(0, MILLI, 5);
        assertThat(clock.wayOutGrowthNanos(SECOND)).hasValue(0);
        assertThat(clock.wayOutGrowthNanos(3 * SECOND)).isEmpty();
    }

    @Property(tries = 50)
    void followersFarAwayDoNotMakeTheWayOutLong(@ForAll long seed) {
        Simulated broker = new Simulated(seed, 0, 10);
        BrokerClock clock = BrokerClock.direct();
        clock.limit(400 * MICRO);
        double off = 0;
        int counted = 0;
        for (int i = 0; i < 1_000; i++) {
            Sample near = broker.next(50 * MILLI);
            Sample far =
                    new Sample(
                            near.dispatched(),
                            near.appended(),
                            near.acknowledged() + 30 * MILLI,
                            near.stamp());
            AppendEstimate estimate = far.tell(clock);
            far.assertWithinBounds(estimate);
            if (i >= 200) {
                off += estimate.instant() - far.appended();
                counted++;
            }
        }
        assertThat(Math.abs(off / counted)).as("ns").isLessThan(0.4 * MILLI);
        long now = broker.now;
        assertThat(clock.uncertaintyNanos(now).getAsLong())
                .as("does not rely on it")
                .isGreaterThan(29 * MILLI);
    }

    @Property(tries = 50)
    void aSlowWayOutDoesNotMakeTheWayBackLong(@ForAll long seed) {
        Simulated broker = new Simulated(seed, 0, 10);
        BrokerClock clock = BrokerClock.mirrored();
        clock.limit(400 * MICRO);
        double off = 0;
        int counted = 0;
        for (int i = 0; i < 1_000; i++) {
            Sample near = broker.next(50 * MILLI);
            Sample mirrored =
                    new Sample(
                            near.dispatched() - 30 * MILLI,
                            near.appended(),
                            near.acknowledged(),
                            near.stamp());
            AppendEstimate estimate = mirrored.tell(clock);
            mirrored.assertWithinBounds(estimate);
            if (i >= 200) {
                off += estimate.instant() - mirrored.appended();
                counted++;
            }
        }
        assertThat(Math.abs(off / counted)).as("ns").isLessThan(0.4 * MILLI);
        assertThat(clock.uncertaintyNanos(broker.now).getAsLong())
                .as("does not rely on it")
                .isGreaterThan(29 * MILLI);
    }

    @Property(tries = 100)
    void stepIsCountedAndNeverMovesAnAppendOutOfItsBounds(
            @ForAll long seed, @ForAll @IntRange(min = 5, max = 5_000) int stepMillis) {
        Simulated broker = new Simulated(seed, 0, 20);
        BrokerClock clock = BrokerClock.direct();
        int sign = broker.random.nextBoolean() ? 1 : -1;
        for (int steps = 1; steps <= 4; steps++) {
            for (int i = 0; i < 200; i++) {
                Sample sample = broker.next(50 * MILLI);
                sample.assertHolds(sample.tell(clock));
            }
            broker.step(sign * stepMillis * MILLI);
            sign = -sign;
            for (int i = 0; i < 20; i++) {
                Sample sample = broker.next(50 * MILLI);
                AppendEstimate estimate = sample.tell(clock);
                sample.assertWithinBounds(estimate);
                // A step that cannot hide in the bounds shows at the first probe after it.
                if (stepMillis > 50) {
                    assertThat(clock.steps()).isEqualTo(steps);
                    sample.assertHolds(estimate);
                }
            }
        }
        assertThat(clock.steps()).isPositive();
    }

    @Test
    void probesUnderWayDuringAStepCountItOnce() {
        Simulated broker = new Simulated(1, 0, 0);
        BrokerClock clock = BrokerClock.direct();
        for (int i = 0; i < 200; i++) {
            broker.next(50 * MILLI).tell(clock);
        }
        Sample[] before = new Sample[10];
        for (int i = 0; i < before.length; i++) {
            Sample sample = broker.next(MILLI);
            before[i] =
                    new Sample(
                            sample.dispatched(),
                            sample.appended(),
                            sample.acknowledged() + SECOND,
                            sample.stamp());
        }
        broker.step(-3 * SECOND);
        broker.next(10 * MILLI).tell(clock);
        assertThat(clock.steps()).isEqualTo(1);
        for (Sample late : before) {
            AppendEstimate estimate = late.tell(clock);
            late.assertHolds(estimate);
        }
        for (int i = 0; i < 100; i++) {
            Sample sample = broker.next(50 * MILLI);
            sample.assertHolds(sample.tell(clock));
        }
        assertThat(clock.steps()).isEqualTo(1);
    }

    @Test
    void aProbeThatOvertookTheOneThatShowedAStepCountsNone() {
        BrokerClock clock = BrokerClock.direct();
        clock.observe(0, 2 * MILLI, 50_001);
        // Stamped once the clock had been set back by 30 s.
        clock.observe(100 * MILLI, 1_100 * MILLI, 21_000);
        assertThat(clock.steps()).isEqualTo(1);

        // Sent later and stamped earlier, by the clock as it was.
        clock.observe(500 * MILLI, 1_200 * MILLI, 50_600);
        clock.observe(1_300 * MILLI, 1_302 * MILLI, 21_301);

        assertThat(clock.steps()).isEqualTo(1);
    }

    @Test
    void slewBeyondTheAllowanceShowsAsStepsAndErrorStaysBelowTheProbesOwnRoundTrip() {
        Simulated broker = new Simulated(7, 0, 0);
        BrokerClock clock = BrokerClock.direct();
        for (int i = 0; i < 1_000; i++) {
            broker.next(50 * MILLI).tell(clock);
        }
        broker.slew(2_000);
        for (int i = 0; i < 1_000; i++) {
            Sample sample = broker.next(50 * MILLI);
            AppendEstimate estimate = sample.tell(clock);
            sample.assertWithinBounds(estimate);
        }
        // 50 s at 2 ms/s against bounds a millisecond wide.
        assertThat(clock.steps()).isGreaterThan(20);
        long stepsUntilHere = clock.steps();
        broker.slew(0);
        for (int i = 0; i < 2_000; i++) {
            Sample sample = broker.next(50 * MILLI);
            AppendEstimate estimate = sample.tell(clock);
            if (i > 1_500) {
                sample.assertHolds(estimate);
            }
        }
        assertThat(clock.steps()).isLessThanOrEqualTo(stepsUntilHere + 2);
    }

    /** The figures of the class's documentation. */
    @Test
    void convergesToTheFastestProbesPlusTheirShareOfTheMillisecond() {
        long[] after = {1, 20, 100, 1_000};
        long[] bound = {1_100 * MICRO, 600 * MICRO, 610 * MICRO, 600 * MICRO};
        for (int c = 0; c < after.length; c++) {
            long sum = 0;
            int runs = 200;
            for (int run = 0; run < runs; run++) {
                Simulated broker = new Simulated(run, 0, 0);
                BrokerClock clock = BrokerClock.direct();
                Sample last = null;
                for (int i = 0; i < after[c]; i++) {
                    last = broker.next(50 * MILLI);
                    last.tell(clock);
                }
                sum += clock.uncertaintyNanos(last.acknowledged()).getAsLong();
            }
            assertThat(sum / runs).as("after %d probes", after[c]).isLessThan(bound[c]);
        }
    }

    @Test
    void slowCommitsDoNotMoveTheAppendOnceTheClockIsKnown() {
        Simulated broker = new Simulated(3, 2 * SECOND, 5);
        BrokerClock clock = BrokerClock.direct();
        for (int i = 0; i < 1_000; i++) {
            broker.next(50 * MILLI).tell(clock);
        }
        for (int i = 0; i < 20; i++) {
            Sample quick = broker.next(500 * MILLI);
            Sample slow =
                    new Sample(
                            quick.dispatched(),
                            quick.appended(),
                            quick.acknowledged() + 400 * MILLI,
                            quick.stamp());
            AppendEstimate estimate = slow.tell(clock);
            slow.assertHolds(estimate);
            assertThat(Math.abs(estimate.instant() - slow.appended())).isLessThan(MILLI);
        }
    }

    /** The bias that the class's documentation states. */
    @Test
    void errorsOfSingleAppendsAverageOutToASmallBiasTowardsTheMiddleOfTheRoundTrip() {
        assertThat(meanError(1)).isBetween(-120.0 * MICRO, 120.0 * MICRO);
        assertThat(meanError(10)).isBetween(-120.0 * MICRO, 120.0 * MICRO);
    }

    private static double meanError(double delayScale) {
        double sum = 0;
        int count = 0;
        for (int run = 0; run < 50; run++) {
            Simulated broker = new Simulated(run, 0, 0);
            broker.delayScale = delayScale;
            BrokerClock clock = BrokerClock.direct();
            for (int i = 0; i < 1_200; i++) {
                Sample sample = broker.next(50 * MILLI);
                AppendEstimate estimate = sample.tell(clock);
                if (i >= 200) {
                    sum += estimate.instant() - sample.appended();
                    count++;
                }
            }
        }
        return sum / count;
    }

    @Test
    void silenceCostsOnlyTheAllowance() {
        Simulated broker = new Simulated(4, 0, 0);
        BrokerClock clock = BrokerClock.direct();
        Sample last = null;
        for (int i = 0; i < 200; i++) {
            last = broker.next(50 * MILLI);
            last.tell(clock);
        }
        long now = last.acknowledged();
        long before = clock.uncertaintyNanos(now).getAsLong();
        long after = clock.uncertaintyNanos(now + 10 * SECOND).getAsLong();
        assertThat(after - before).isCloseTo(5 * MILLI, within(MILLI / 10));
    }

    @Test
    void whatAFastProbeTaughtIsForgottenAfterTwentyMinutes() {
        BrokerClock clock = BrokerClock.direct();
        clock.observe(0, MILLI, 10);
        assertThat(clock.offsetNanos(MILLI).getAsLong()).isCloseTo(10 * MILLI, within(MICRO));

        // The slower ones leave from 5 to 16 ms, of which the fast one allowed from 9 to 11.
        long later = BrokerClock.MEMORY.toNanos() + 5 * SECOND;
        for (int i = 0; i < 3; i++) {
            long sent = later + i * 50 * MILLI;
            clock.observe(sent, sent + 10 * MILLI, sent / MILLI + 15);
        }
        long now = later + SECOND;
        assertThat(clock.offsetNanos(now).getAsLong()).isCloseTo(10_500_000L, within(MILLI / 2));
        assertThat(clock.uncertaintyNanos(now).getAsLong()).isCloseTo(6 * MILLI, within(MILLI));
    }

    /** Truth: a queue that lasts for minutes stays on the way out. */
    @Property(tries = 20)
    void aQueueOfMinutesIsNoClockThatMoves(
            @ForAll long seed, @ForAll @IntRange(min = -50, max = 50) int ppm) {
        Simulated broker = new Simulated(seed, 0, ppm);
        BrokerClock clock = BrokerClock.direct();
        for (int i = 0; i < 2_400; i++) {
            broker.next(50 * MILLI).tell(clock);
        }
        double off = 0;
        long end = broker.now + 600 * SECOND;
        int counted = 0;
        long now = 0;
        while (broker.now - end < 0) {
            Sample plain = broker.next(50 * MILLI);
            long queue = (400 + broker.random.nextInt(400)) * MILLI;
            long appended = plain.appended() + queue;
            now = plain.acknowledged() + queue;
            Sample queued =
                    new Sample(
                            plain.dispatched(),
                            appended,
                            now,
                            Math.floorDiv(appended + broker.offset(appended), MILLI));
            AppendEstimate estimate = queued.tell(clock);
            queued.assertHolds(estimate);
            off += estimate.instant() - appended;
            counted++;
        }
        assertThat(Math.abs(off / counted)).as("of 600 ms, in ns").isLessThan(6 * MILLI);
        assertThat(clock.wayOutGrowthNanos(now).getAsLong()).isBetween(380 * MILLI, 700 * MILLI);
        assertThat(clock.steps()).isZero();
    }

    /** Truth: a large record takes longer on the way out than a tiny request there and back. */
    @Property(tries = 20)
    void recordsThatWaitForNoFollowerTellTheWayOutOfLargeOnes(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 50) int outMillis) {
        Simulated broker = new Simulated(seed, 0, 10);
        BrokerClock clock = BrokerClock.direct();
        clock.limit(400 * MICRO);
        double off = 0;
        int counted = 0;
        for (int i = 0; i < 4_000; i++) {
            Sample tiny = broker.next(50 * MILLI);
            long way = outMillis * MILLI;
            long commit = i % 20 == 0 ? 0 : 10 * MILLI;
            Sample large =
                    new Sample(
                            tiny.dispatched() - way,
                            tiny.appended(),
                            tiny.acknowledged() + commit,
                            tiny.stamp());
            AppendEstimate estimate =
                    commit == 0
                            ? clock.exchange(
                                    large.dispatched(), large.acknowledged(), large.stamp())
                            : large.tell(clock);
            if (i >= 400) {
                off += estimate.instant() - large.appended();
                counted++;
            }
        }
        assertThat(Math.abs(off / counted)).as("ns").isLessThan(0.8 * MILLI);
    }

    @Test
    void locatingTeachesNothing() {
        BrokerClock clock = BrokerClock.direct();
        assertThat(clock.locate(10, 20, 5)).isEqualTo(new AppendEstimate(15, 10, 20));
        assertThat(clock.offsetNanos(30)).isEmpty();
        assertThat(clock.uncertaintyNanos(30)).isEmpty();
    }

    @Test
    void impossibleBoundsAreRefused() {
        assertThatThrownBy(() -> BrokerClock.direct().observe(10, 9, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
