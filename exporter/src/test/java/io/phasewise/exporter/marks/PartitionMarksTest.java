/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import static io.phasewise.exporter.marks.PartitionMarks.LEADER;
import static io.phasewise.exporter.marks.PartitionMarks.SEVERAL;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.phasewise.common.marks.RecordMark;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is charged for a record's wait; broker 1 leads, instants are in nanoseconds. */
class PartitionMarksTest {

    private static final int[] BOTH = {2, 3};

    private final Heard heard = new Heard();
    private final Pauses pauses = new Pauses();
    private final AtomicLong waiting = new AtomicLong();
    private final AwaitedFollowers awaited = new AwaitedFollowers();
    private final PartitionMarks marks = new PartitionMarks(0, heard, pauses, waiting, awaited);

    private static final class Heard implements MarkListener {
        private final List<Long> commits = new ArrayList<>();
        private final Map<Integer, List<Long>> acknowledgements = new TreeMap<>();
        private final Map<Integer, Long> waits = new TreeMap<>();
        private final Map<String, Integer> drops = new TreeMap<>();
        private RecordMark last;

        @Override
        public void committed(RecordMark mark) {
            commits.add(mark.committed - mark.appended);
            last = mark;
        }

        @Override
        public void acknowledged(int follower, long nanosSinceAppend) {
            acknowledgements.computeIfAbsent(follower, id -> new ArrayList<>()).add(nanosSinceAppend);
        }

        @Override
        public void waited(int holder, long nanos) {
            waits.merge(holder, nanos, Long::sum);
        }

        @Override
        public void dropped(int marks, String reason) {
            drops.merge(reason, marks, Integer::sum);
        }
    }

    private int epoch = 7;

    private void appended(long offset, long now) {
        marks.appended(epoch, 0, offset, offset, now - 20, now - 5, now);
    }

    private void append(long offset, long now) {
        marks.appending("t", 7, BOTH, now - 10);
        appended(offset, now);
    }

    private void fetchedByBoth(long end, long nowOf2, long nowOf3) {
        marks.fetched(2, end, nowOf2, nowOf2 + 3);
        marks.fetched(3, end, nowOf3, nowOf3 + 3);
    }

    @Test
    void theSlowestOfTwoIsChargedForWhatItAloneHoldsBack() {
        append(5, 1_000);
        fetchedByBoth(6, 1_100, 1_900);
        marks.committed(6, 1_950);

        assertThat(heard.waits).isEqualTo(Map.of(SEVERAL, 100L, 3, 800L, LEADER, 50L));
        assertThat(heard.acknowledgements).isEqualTo(Map.of(2, List.of(100L), 3, List.of(900L)));
        assertThat(heard.commits).containsExactly(950L);
    }

    @Test
    void aCommittedBatchTellsItsPassage() {
        marks.appending("t", 7, BOTH, 990);
        marks.appended(7, 5, 5, 8, 900, 980, 1_000);
        marks.fetched(2, 9, 1_100, 1_100);
        marks.committed(9, 1_950);

        assertThat(heard.last)
                .returns("t", mark -> mark.topicId)
                .returns(0, mark -> mark.partition)
                .returns(7, mark -> mark.leaderEpoch)
                .returns(5L, mark -> mark.firstOffset)
                .returns(8L, mark -> mark.lastOffset)
                .returns(900L, mark -> mark.received)
                .returns(980L, mark -> mark.appendBegan)
                .returns(1_000L, mark -> mark.appended)
                .returns(1_950L, mark -> mark.committed)
                .returns(Map.of(2, 1_100L), mark -> mark.arrivals);
    }

    /** The thread that appended first may get here last. */
    @Test
    void batchesWhoseAppendsReturnInAnotherOrderHaveMarksAll() {
        for (int i = 0; i < 3; i++) {
            marks.appending("t", 7, BOTH, 990);
        }
        appended(6, 1_000);
        appended(5, 1_010);
        appended(7, 1_020);
        fetchedByBoth(7, 1_100, 1_200);
        marks.committed(7, 1_300);

        assertThat(heard.commits).as("5 and 6, in the order of offsets").containsExactly(290L, 300L);
        assertThat(waiting).hasValue(1);
        fetchedByBoth(8, 1_400, 1_400);
        marks.committed(8, 1_500);
        assertThat(heard.commits).hasSize(3);
        assertThat(waiting).hasValue(0);
    }

    @Test
    void aBatchThatIsCommittedBeforeItsThreadGetsHereHasAMark() {
        marks.appending("t", 7, BOTH, 990);
        marks.appending("t", 7, BOTH, 990);
        appended(6, 1_000);
        fetchedByBoth(7, 1_100, 1_200);
        marks.committed(7, 1_300);
        appended(5, 1_400);

        assertThat(heard.last).returns(5L, mark -> mark.firstOffset).returns(1_400L, mark -> mark.committed);
        assertThat(waiting).hasValue(0);
    }

    @Test
    void aBatchThatAProducerSentAgainHasNoSecondMark() {
        for (int i = 0; i < 3; i++) {
            marks.appending("t", 7, BOTH, 990);
        }
        appended(5, 1_000);
        appended(6, 1_010);
        appended(5, 1_020);
        fetchedByBoth(7, 1_100, 1_200);
        marks.committed(7, 1_300);

        assertThat(heard.commits).hasSize(2);
        assertThat(waiting).hasValue(0);
    }

    @Test
    void aBatchThatComesLaterThanAnyThreadCouldIsTakenForOneThatWasSentAgain() {
        marks.appending("t", 7, BOTH, 990);
        for (int i = 0; i < PartitionMarks.MOST_AT_ONCE; i++) {
            append(6 + i, 1_000);
        }
        appended(5, 1_100);
        marks.committed(100, 1_300);

        assertThat(heard.commits).hasSize(PartitionMarks.MOST_AT_ONCE);
        assertThat(heard.drops).as("it may have had no mark").isEqualTo(Map.of("memory", 1));
        assertThat(waiting).hasValue(0);
    }

    @Test
    void whenThePartitionLearnedOfAFetchIsToldBesideItsReceipt() {
        marks.appending("t", 7, BOTH, 990);
        marks.fetched(3, 9, 950, 995);
        marks.appended(7, 5, 5, 8, 900, 980, 1_000);
        marks.fetched(2, 9, 1_100, 1_400);
        marks.committed(9, 1_950);

        assertThat(heard.last.arrivals).isEqualTo(Map.of(2, 1_100L, 3, 1_000L));
        assertThat(heard.last.learned).isEqualTo(Map.of(2, 1_400L, 3, 1_000L));
    }

    @Test
    void aFollowerIsAwaitedFromTheAppendUntilThePartitionLearnsThatItHasIt() {
        append(5, 1_000);
        append(6, 1_010);
        assertThat(awaited.isAwaitedSince(2, 5_000)).isTrue();
        marks.fetched(2, 6, 1_100, 1_150);
        assertThat(awaited.isAwaitedSince(2, 5_000)).as("it lacks the second").isTrue();
        marks.fetched(2, 7, 1_200, 1_250);

        assertThat(awaited.isAwaitedSince(2, 1_250)).isTrue();
        assertThat(awaited.isAwaitedSince(2, 1_251)).isFalse();
        assertThat(awaited.isAwaitedSince(3, 5_000)).isTrue();
        assertThat(awaited.isAwaitedSince(4, 0)).isFalse();
    }

    @Test
    void nobodyIsAwaitedAfterTheCommitADropOrARemoval() {
        append(5, 1_000);
        marks.committed(6, 1_100);
        assertThat(awaited.isAwaitedSince(3, 1_101)).isFalse();
        append(6, 1_200);
        marks.drop("deletion", 1_300);
        assertThat(awaited.isAwaitedSince(3, 1_301)).isFalse();
        append(7, 1_400);
        marks.appending("t", 7, new int[] {2}, 1_500);
        assertThat(awaited.isAwaitedSince(3, 1_501)).isFalse();
        assertThat(awaited.isAwaitedSince(2, 1_501)).isTrue();
        marks.appending("t", 8, BOTH, 1_600);
        assertThat(awaited.isAwaitedSince(2, 1_601)).as("another leader epoch").isFalse();
    }

    @Test
    void theOnlyFollowerIsChargedFromTheAppendOnAndWithoutOneTheLeader() {
        marks.appending("t", 7, new int[] {2}, 0);
        appended(5, 1_000);
        marks.fetched(2, 6, 1_700, 1_700);
        marks.committed(6, 1_700);
        marks.appending("t", 7, new int[0], 1_800);
        appended(6, 1_900);
        marks.committed(7, 1_920);

        assertThat(heard.waits).isEqualTo(Map.of(2, 700L, LEADER, 20L));
    }

    @Test
    void aWaitIsChargedWhileItLasts() {
        append(5, 1_000);
        marks.fetched(2, 6, 1_100, 1_100);
        marks.chargeUntil(1_400);

        assertThat(heard.waits).isEqualTo(Map.of(SEVERAL, 100L, 3, 300L));
        assertThat(heard.commits).isEmpty();
    }

    @Test
    void whileTheLeaderStandsStillItIsCharged() {
        long ms = 1_000_000;
        pauses.tick(0);
        append(5, 0);
        marks.fetched(2, 6, 4 * ms, 4 * ms);
        // Stopped from 10 ms on at the latest, until 400 ms, and the watching thread comes last.
        marks.fetched(3, 6, 400 * ms, 400 * ms);
        pauses.tick(400 * ms);
        marks.committed(6, 401 * ms);

        assertThat(heard.waits).isEqualTo(Map.of(SEVERAL, 4 * ms, 3, 6 * ms, LEADER, 391 * ms));
    }

    @Test
    void aFollowerThatIsRemovedIsChargedUntilThen() {
        append(5, 1_000);
        marks.fetched(2, 6, 1_100, 1_100);
        marks.committed(6, 9_000);

        assertThat(heard.waits).containsEntry(3, 7_900L);
        assertThat(heard.acknowledgements).doesNotContainKey(3);
    }

    @Test
    void whatWasSaidWhileTheAppendWasUnderWayCounts() {
        marks.appending("t", 7, BOTH, 900);
        fetchedByBoth(6, 950, 960);
        marks.committed(6, 970);

        appended(5, 1_000);
        assertThat(waiting).hasValue(0);
        assertThat(heard.commits).containsExactly(0L);
        assertThat(heard.acknowledgements).isEqualTo(Map.of(2, List.of(0L), 3, List.of(0L)));
    }

    @ParameterizedTest
    @CsvSource({"t, 8", "u, 7"})
    void anotherLeaderEpochOrTopicOfThatNameEndsWhatIsPending(String topic, int newEpoch) {
        append(5, 1_000);

        marks.appending(topic, newEpoch, BOTH, 2_000);
        assertThat(waiting).as("the append that began").hasValue(1);
        assertThat(heard.drops).isEqualTo(Map.of("leader_change", 1));
        // Offset 5 is another record now.
        epoch = newEpoch;
        appended(5, 2_010);
        fetchedByBoth(6, 2_110, 2_210);
        marks.committed(6, 2_210);
        assertThat(heard.commits).containsExactly(200L);
    }

    @Test
    void whatWasAppendedInAnEpochThatEndedMeanwhileIsNoMark() {
        marks.appending("t", 7, BOTH, 900);
        fetchedByBoth(6, 1_100, 1_100);
        marks.committed(6, 1_100);
        marks.appending("t", 8, BOTH, 1_150);

        // The thread that appended it gets here only now: when it was committed is forgotten.
        appended(5, 1_000);
        assertThat(waiting).as("the append of the next epoch").hasValue(1);
        marks.committed(7, 9_000);
        assertThat(heard.commits).isEmpty();
        assertThat(heard.drops).isEqualTo(Map.of("leader_change", 1));
    }

    @Test
    void aFollowerThatJoinsIsWaitedForToo() {
        marks.appending("t", 7, new int[] {2}, 0);
        appended(5, 1_000);
        marks.appending("t", 7, BOTH, 1_300);
        appended(6, 1_300);
        fetchedByBoth(7, 1_400, 1_600);
        marks.committed(7, 1_600);

        assertThat(heard.waits).isEqualTo(Map.of(2, 300L, SEVERAL, 200L, 3, 400L));
    }

    @Test
    void aRepetitionIsNoMark() {
        append(5, 1_000);
        marks.committed(6, 1_100);

        marks.appending("t", 7, BOTH, 1_200);
        assertThat(waiting).hasValue(1);
        appended(5, 1_210);
        assertThat(waiting).hasValue(0);
        assertThat(heard.commits).containsExactly(100L);
    }

    @Test
    void theOldestGiveWayWhenThereAreTooMany() {
        for (int i = 0; i < PartitionMarks.MOST_PENDING + 3; i++) {
            append(i, 1_000 + i);
        }

        assertThat(heard.drops).isEqualTo(Map.of("memory", 3));
        assertThat(waiting).hasValue(PartitionMarks.MOST_PENDING);
        marks.drop("deletion", 2_000);
        assertThat(waiting).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatIsChargedIsWhatCommitsTook(long seed) {
        Random random = new Random(seed);
        long now = random.nextLong() >> 2;
        long end = 0;
        long[] ends = {0, 0};
        int appended = 0;
        for (int i = 0; i < 20_000; i++) {
            now += random.nextInt(1_000);
            switch (random.nextInt(4)) {
                case 0:
                    marks.appending("t", 7, BOTH, now);
                    appended(end, now);
                    end++;
                    appended++;
                    break;
                case 1:
                    marks.chargeUntil(now);
                    break;
                default:
                    int follower = random.nextInt(2);
                    ends[follower] += random.nextInt((int) (end - ends[follower]) + 1);
                    marks.fetched(BOTH[follower], ends[follower], now - random.nextInt(2_000), now);
                    now += random.nextInt(50);
                    marks.committed(Math.min(ends[0], ends[1]), now);
                    break;
            }
        }
        fetchedByBoth(end, now, now);
        marks.committed(end, now + 10);

        assertThat(waiting).hasValue(0);
        assertThat(heard.commits).hasSize(appended).allMatch(nanos -> nanos >= 0);
        assertThat(sum(heard.waits.values())).isEqualTo(sum(heard.commits));
        assertThat(heard.acknowledgements.get(2)).hasSize(appended);
        assertThat(heard.acknowledgements.get(3)).hasSize(appended);
    }

    private static long sum(Collection<Long> nanos) {
        return nanos.stream().mapToLong(Long::longValue).sum();
    }

    /** The broker's threads wait for the lock under which the copy is made. */
    @Test
    void aCopyOfWhatIsPendingAllocatesNothing() {
        for (int i = 0; i < PartitionMarks.MOST_PENDING; i++) {
            append(i, 1_000 + i);
        }
        WaitingBatch[] copy = new WaitingBatch[PartitionMarks.MOST_PENDING];
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long[] allocated = new long[2];
        int copied = 0;
        for (int round = 0; round < 2; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 1_000; i++) {
                copied = marks.pending(copy);
            }
            allocated[round] = threads.getThreadAllocatedBytes(thread) - before;
        }

        assertThat(copied).isEqualTo(PartitionMarks.MOST_PENDING);
        assertThat(copy).extracting(batch -> batch.first).isSorted();
        assertThat(allocated[1]).isLessThan(1_000);
    }

    @Test
    void whatHasBeenCopiedIsReadWithoutTheLock() throws Exception {
        append(5, 1_000);
        WaitingBatch[] copy = new WaitingBatch[PartitionMarks.MOST_PENDING];
        assertThat(marks.pending(copy)).isOne();
        marks.fetched(3, 6, 1_100, 1_107);

        synchronized (marks) {
            assertThat(CompletableFuture.supplyAsync(copy[0]::pending).get(30, TimeUnit.SECONDS))
                    .returns(Map.of(3, 1_100L), mark -> mark.arrivals)
                    .returns(Map.of(3, 1_107L), mark -> mark.learned);
        }
    }

    /** It has cut off its log, and fetches the batch once more. */
    @Test
    void aSecondArrivalOfTheSameFollowerTakesThePlaceOfItsFirst() {
        append(5, 1_000);
        marks.fetched(3, 6, 1_100, 1_107);
        marks.fetched(3, 5, 1_200, 1_207);
        marks.fetched(3, 6, 1_300, 1_307);
        marks.fetched(2, 6, 1_400, 1_407);
        marks.committed(6, 1_500);

        assertThat(heard.last.arrivals).isEqualTo(Map.of(2, 1_400L, 3, 1_300L));
        assertThat(heard.last.learned).isEqualTo(Map.of(2, 1_407L, 3, 1_307L));
    }
}
