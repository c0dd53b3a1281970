/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.phasewise.common.marks.BusyMark;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Instants are in microseconds, so that a millisecond is 1,000. */
class NetworkThreadTest {

    private final NetworkThread thread = new NetworkThread(3, Thread.currentThread());

    private void pass(long began, long ended) {
        thread.selected(began * 1_000);
        thread.selects(ended * 1_000);
    }

    private List<String> drain(long now) {
        return drain(now, 0);
    }

    private List<String> drain(long now, long since) {
        List<BusyMark> told = new ArrayList<>();
        thread.drain(now * 1_000, since * 1_000, told);
        assertThat(told).allMatch(each -> each.processor == 3);
        return told.stream()
                .map(each -> each.began / 1_000 + "-" + each.ended / 1_000 + ":" + each.queueFull / 1_000)
                .toList();
    }

    @Test
    void passesOfOverAMillisecondAreToldOnce() {
        pass(1_000, 2_000);
        pass(3_000, 4_001);
        pass(5_000, 9_000);

        assertThat(drain(10_000)).containsExactly("3000-4001:0", "5000-9000:0");
        assertThat(drain(10_000)).isEmpty();
    }

    @Test
    void passesWithNothingBetweenThemAreOne() {
        pass(1_000, 3_000);
        pass(3_050, 5_000);
        pass(5_051, 7_000);

        assertThat(drain(10_000)).containsExactly("1000-5000:0", "5051-7000:0");
    }

    @Test
    void waitingForRoomInTheQueueIsToldApart() {
        thread.selected(1_000_000);
        thread.sends(1_100_000);
        thread.sent(1_300_000);
        thread.sends(1_400_000);
        thread.sent(3_400_000);
        thread.selects(5_000_000);
        pass(6_000, 8_000);

        assertThat(drain(10_000)).containsExactly("1000-5000:2200", "6000-8000:0");
    }

    /** A thread that is stuck is not known too late. */
    @Test
    void ofAPassThatLastsWhatThereIsOfItIsToldAndThenTheRest() {
        thread.selected(1_000_000);
        assertThat(drain(1_500)).as("less than a millisecond so far").isEmpty();
        thread.sends(1_600_000);
        assertThat(drain(4_000)).containsExactly("1000-4000:2400");
        assertThat(drain(6_000)).containsExactly("4000-6000:2000");
        thread.sent(6_100_000);
        thread.selects(6_300_000);
        pass(7_000, 9_000);

        assertThat(drain(10_000)).containsExactly("6000-6300:100", "7000-9000:0");
    }

    @Test
    void aThreadThatWaitsInSelectIsNotBusy() {
        pass(1_000, 1_100);

        assertThat(drain(90_000)).isEmpty();
    }

    @Test
    void aSelectThatThrewEndsThePassAndBeginsNone() {
        thread.selected(1_000_000);
        thread.selects(3_000_000);
        thread.selects(90_000_000);

        assertThat(drain(95_000)).containsExactly("1000-3000:0");
    }

    /** While nobody watched a pass may have ended, and others been there. */
    @Test
    void whatBeganBeforeItWasWatchedIsNotReported() {
        thread.selected(1_000_000);
        assertThat(drain(50_000, 40_000)).isEmpty();
        thread.selects(60_000_000);
        pass(61_000, 63_000);

        assertThat(drain(70_000, 40_000)).containsExactly("61000-63000:0");
    }

    @Test
    void passesAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        long[] allocated = new long[2];
        for (int round = 0; round < 2; round++) {
            long before = threads.getThreadAllocatedBytes(id);
            for (int i = 0; i < 20_000; i++) {
                pass(i * 10_000L, i * 10_000L + 2_000);
                thread.sends(i);
                thread.sent(i);
            }
            allocated[round] = threads.getThreadAllocatedBytes(id) - before;
        }
        assertThat(allocated[1]).isLessThan(10_000);
    }
}
