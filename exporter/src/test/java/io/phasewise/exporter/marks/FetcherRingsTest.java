/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.phasewise.common.marks.FetcherMark;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class FetcherRingsTest {

    private final AwaitedFollowers awaited = new AwaitedFollowers();
    private final FetcherRings rings = new FetcherRings();

    @BeforeEach
    void watch() {
        rings.watch(awaited);
    }

    private void fetch(String client, String connection, long received) {
        rings.answered(client, connection, 4, received, received + 1, received + 2, received + 3, received + 4);
    }

    private List<FetcherMark> drain(long now, long missed) {
        List<FetcherMark> told = new ArrayList<>();
        assertThat(rings.drain(now, told)).isEqualTo(missed);
        return told;
    }

    @Test
    void aFetchIsToldWithItsFollowerFetcherAndInstants() {
        awaited.begin(12);
        fetch("broker-12-fetcher-3", "c", 100);

        FetcherMark mark = drain(200, 0).get(0);
        assertThat(List.of(mark.follower, mark.fetcher, mark.processor)).containsExactly(12, 3, 4);
        assertThat(List.of(mark.received, mark.dequeued, mark.completed, mark.answered, mark.sent))
                .containsExactly(100L, 101L, 102L, 103L, 104L);
        assertThat(drain(201, 0)).isEmpty();
    }

    @Test
    void onlyFetchesThatSomebodyMayHaveWaitedForAreReported() {
        fetch("broker-2-fetcher-0", "c", 100);
        awaited.begin(2);
        fetch("broker-2-fetcher-0", "c", 110);
        fetch("broker-3-fetcher-0", "d", 110);
        awaited.end(2, 120);
        fetch("broker-2-fetcher-0", "c", 119);
        fetch("broker-2-fetcher-0", "c", 121);
        awaited.begin(2);
        fetch("broker-2-fetcher-0", "c", 130);

        List<FetcherMark> told = drain(200, 0);
        assertThat(told).extracting(each -> each.received).containsExactly(110L, 119L, 130L);
        assertThat(told)
                .as("the others count, too")
                .extracting(each -> each.number)
                .containsExactly(2L, 3L, 5L);
    }

    @Test
    void aFollowerThatTwoPartitionsAwaitIsAwaitedUntilBothHaveIt() {
        awaited.begin(2);
        awaited.begin(2);
        awaited.end(2, 10);
        fetch("broker-2-fetcher-0", "c", 50);
        awaited.end(2, 60);
        fetch("broker-2-fetcher-0", "c", 61);

        assertThat(drain(200, 0)).extracting(each -> each.received).containsExactly(50L);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "app", "broker-2-fetcher-", "broker--fetcher-0", "broker-9999999999-fetcher-0"})
    void aClientThatIsNoFetcherIsPassedOver(String client) {
        awaited.begin(2);
        fetch(client, "c", 100);

        assertThat(drain(200, 0)).isEmpty();
    }

    @Test
    void ofTooManyTheNewestAreReported() {
        awaited.begin(2);
        int connections = 5;
        for (int i = 0; i < FetcherRings.KEPT + 1; i++) {
            for (int connection = 0; connection < connections; connection++) {
                fetch("broker-2-fetcher-" + connection, "c" + connection, 100 + i);
            }
        }

        int all = connections * (FetcherRings.KEPT + 1);
        List<FetcherMark> told = drain(1_000, all - FetcherRings.MOST_REPORTED);
        assertThat(told).hasSize(FetcherRings.MOST_REPORTED);
        assertThat(told).extracting(each -> each.sent).isSorted().endsWith(100L + FetcherRings.KEPT + 4);
        for (int connection = 0; connection < connections; connection++) {
            int number = connection;
            assertThat(told.stream()
                            .filter(each -> each.fetcher == number)
                            .map(each -> each.cut)
                            .limit(3))
                    .as("fetcher %s", number)
                    .containsExactly(true, false, false);
        }
    }

    @Test
    void whatWasOverwrittenIsMissingBeforeTheNextOfThatConnectionOnly() {
        awaited.begin(2);
        fetch("broker-2-fetcher-1", "d", 100);
        for (int i = 0; i < FetcherRings.KEPT + 3; i++) {
            fetch("broker-2-fetcher-0", "c", 200 + i);
        }

        assertThat(drain(1_000, 3)).filteredOn(each -> each.cut).singleElement().returns(203L, each -> each.received);
        fetch("broker-2-fetcher-0", "c", 1_001);
        assertThat(drain(2_000, 0)).extracting(each -> each.cut).containsExactly(false);
    }

    /** The newest of another connection fill the page: that of this one comes with the page after it. */
    @Test
    void whatWasLeftOutIsSaidWithTheNextFetchHoweverLate() {
        awaited.begin(2);
        fetch("broker-2-fetcher-9", "old", 50);
        for (int connection = 0; connection < FetcherRings.MOST_REPORTED / FetcherRings.KEPT; connection++) {
            for (int i = 0; i < FetcherRings.KEPT; i++) {
                fetch("broker-2-fetcher-" + connection, "c" + connection, 100 + i);
            }
        }
        assertThat(drain(1_000, 1)).noneMatch(each -> each.cut || each.fetcher == 9);

        assertThat(drain(2_000, 0)).isEmpty();
        fetch("broker-2-fetcher-9", "old", 2_001);
        assertThat(drain(3_000, 0)).singleElement().returns(true, each -> each.cut);
    }

    @Test
    void aFetcherThatConnectsAgainTakesNoSecondPlace() {
        awaited.begin(2);
        for (int i = 0; i < 2 * FetcherRings.MOST_CONNECTIONS; i++) {
            fetch("broker-2-fetcher-0", "c" + i, 100 + i);
        }

        assertThat(drain(9_000, 0))
                .as("the last two, and what was before them is missing")
                .extracting(each -> each.cut)
                .containsExactly(true, true);
        fetch("broker-2-fetcher-0", "c" + (2 * FetcherRings.MOST_CONNECTIONS - 1), 9_001);
        assertThat(drain(9_100, 0)).extracting(each -> each.cut).containsExactly(false);
    }

    @Test
    void clientsThatAreNoFetchersTakeNoPlace() {
        awaited.begin(2);
        for (int i = 0; i <= FetcherRings.MOST_CONNECTIONS; i++) {
            fetch("broker-x-fetcher-0", "c" + i, 100);
        }
        fetch("broker-2-fetcher-0", "c", 100);

        assertThat(drain(200, 0)).hasSize(1);
    }

    @Test
    void connectionsAreBoundedAndForgottenWhenTheyAreNotUsed() {
        awaited.begin(2);
        for (int i = 0; i <= FetcherRings.MOST_CONNECTIONS; i++) {
            fetch("broker-2-fetcher-" + i, "old" + i, 100);
        }
        fetch("broker-2-fetcher-9999", "new", 101);
        // All have a ring but the last two, and the newest of them are told.
        drain(200, FetcherRings.MOST_CONNECTIONS - FetcherRings.MOST_REPORTED + 2);
        fetch("broker-2-fetcher-9999", "new", 102);
        assertThat(drain(201, 1)).isEmpty();

        assertThat(drain(TimeUnit.MINUTES.toNanos(6), 0)).isEmpty();
        fetch("broker-2-fetcher-9999", "new", 103);
        assertThat(drain(TimeUnit.MINUTES.toNanos(6), 0)).singleElement().returns(true, each -> each.cut);
    }

    @Test
    void aFetchOfAKnownConnectionAllocatesNothing() {
        awaited.begin(200);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long[] allocated = new long[2];
        for (int round = 0; round < 2; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 20_000; i++) {
                fetch("broker-200-fetcher-0", "c", i);
            }
            allocated[round] = threads.getThreadAllocatedBytes(thread) - before;
        }
        assertThat(allocated[1]).isLessThan(10_000);
    }
}
