/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** What counts as catching up, by hand and against a count of every nanosecond. */
class PollLogTest {

    private static void poll(PollLog log, long from, long to, int... partitions) {
        log.entered(from);
        log.left(to, partitions, partitions.length);
    }

    @Test
    void pollsOutOfTurnAreRefused() {
        PollLog log = new PollLog(1_000_000, 1_000);
        assertThatThrownBy(() -> log.left(1, new int[0], 0)).isInstanceOf(IllegalStateException.class);
        log.entered(1);
        assertThatThrownBy(() -> log.entered(2)).isInstanceOf(IllegalStateException.class);
    }

    private record Poll(long start, long end, boolean brings) {}

    @Property(tries = 300)
    void agreesWithACountOfEveryNanosecond(@ForAll long seed) {
        Random random = new Random(seed);
        PollLog tested = new PollLog(1_000_000, 64);
        List<Poll> polls = new ArrayList<>();
        long now = 0;
        for (int i = 0; i < 60; i++) {
            now += random.nextInt(4) == 0 ? random.nextInt(30) : 0;
            long start = now;
            now += 1 + random.nextInt(12);
            boolean brings = random.nextInt(3) > 0;
            polls.add(new Poll(start, now, brings));
            poll(tested, start, now, brings ? new int[] {4, 2} : new int[] {2});
        }
        for (Poll delivering : polls) {
            if (!delivering.brings()) {
                continue;
            }
            long t5 = delivering.end();
            long t3 = t5 - random.nextInt((int) t5 + 1);
            long expected = 0;
            for (long t = t3; t < t5; t++) {
                if (notCaughtUp(polls, t, t5)) {
                    expected++;
                }
            }
            assertThat(tested.catchUpNanos(4, t3, t5)).isEqualTo(expected);
        }
    }

    @Test
    void remembersTheWholeHorizonHoweverManyPollsItHolds() {
        long ms = 1_000_000;
        PollLog tested = new PollLog(60_000 * ms, 1_000);
        // 2,000 polls a second for a minute, and one second away from poll().
        long now = 0;
        while (now < 59_000 * ms) {
            long start = now == 20_000 * ms ? now + 1_000 * ms : now;
            now = start + ms / 2;
            poll(tested, start, now, 3);
        }
        poll(tested, now, now + ms / 2, 7);
        now += ms / 2;

        assertThat(tested.catchUpNanos(7, 0, now)).isEqualTo(1_000 * ms);
        assertThat(tested.catchUpNanos(7, 30_000 * ms, now)).isZero();
        assertThat(tested.catchUpNanos(7, 10_000 * ms, now))
                .as("a stall is longer than what is merged")
                .isEqualTo(1_000 * ms);
    }

    @Property(tries = 20)
    void isOffByLittleBeyondTheLatestPolls(@ForAll long seed) {
        PollLog small = new PollLog(100_000, 400);
        PollLog large = new PollLog(100_000, 1_000_000);
        // One stretch for each end of the two logs at most.
        compare(small, large, new Random(seed), 300_000, 90_000, 4_000);
    }

    @Property(tries = 20)
    void forgetsBeyondItsLimitsButStaysExactWithin(@ForAll long seed) {
        PollLog small = new PollLog(10_000, 100);
        PollLog large = new PollLog(1_000_000_000, 1_000_000);
        compare(small, large, new Random(seed), 60_000, 400, 0);
    }

    /** Of the same polls until an instant, for records that were committed a while ago at most. */
    private static void compare(PollLog small, PollLog large, Random random, long until, int ago, double within) {
        for (long now = 0; now < until; ) {
            now += random.nextInt(4);
            int brought = random.nextInt(3);
            long left = now + 1 + random.nextInt(20);
            poll(small, now, left, brought);
            poll(large, now, left, brought);
            now = left;
            long from = now - random.nextInt(ago);
            assertThat((double) small.catchUpNanos(brought, from, now))
                    .isCloseTo(large.catchUpNanos(brought, from, now), within(within));
        }
    }

    private static boolean notCaughtUp(List<Poll> polls, long t, long delivered) {
        for (Poll poll : polls) {
            if (t >= poll.start() && t < poll.end()) {
                return poll.brings() && poll.end() < delivered;
            }
        }
        return true;
    }
}
