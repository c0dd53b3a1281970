/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.marks.FollowedMark;
import io.phasewise.common.marks.GapMark;
import io.phasewise.common.marks.MarkPage;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.Option;

/** What a fetcher thread calls, in the order of a broker. */
class FollowerAdviceTest {

    private static final TopicPartition CANARY = new TopicPartition("phasewise-canary", 2);
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final Option<Uuid> TOPIC = Option.apply(Uuid.randomUuid());

    private final MarksPart marks = new MarksPart("phasewise-canary", new long[] {1_000_000}, new PrometheusRegistry());

    /** Ticked by the test alone: on a busy machine the real clock has pauses of its own. */
    private final Pauses pauses = new Pauses();

    @BeforeEach
    void switchOn() {
        marks.enable(true);
        FollowerAdvice.pauses = pauses;
        fetch();
    }

    @AfterEach
    void switchOff() {
        FollowerAdvice.nanoClock = System::nanoTime;
        marks.enable(false);
    }

    private static void fetch() {
        FollowerAdvice.sends(1, 3, ApiKeys.FETCH);
        FollowerAdvice.answered();
    }

    private static void append(TopicPartition partition, long end, long last) {
        if (FollowerAdvice.isFollowed(partition)) {
            FollowerAdvice.appends(partition, TOPIC, 9, 5);
        }
        MarkAdvice.logAppends("/data", false, end);
        MarkAdvice.firstAppended(end);
        MarkAdvice.logAppended(last);
    }

    private MarkPage page() {
        return MarkPage.parse(marks.page(2, 0));
    }

    @Test
    void anAnswerWithRecordsOfTheCanaryLeavesAMarkWhenTheNextRequestIsSent() {
        append(ORDERS, 0, 8);
        append(CANARY, 40, 41);
        append(ORDERS, 9, 9);
        fetch();

        MarkPage page = page();
        FollowedMark mark = page.followed.get(0);
        assertThat(page.followed).hasSize(1);
        assertThat(mark.leader).isEqualTo(1);
        assertThat(mark.fetcher).isEqualTo(3);
        assertThat(mark.topicId).isEqualTo(TOPIC.get().toString());
        assertThat(mark.partition).isEqualTo(2);
        assertThat(mark.leaderEpoch).isEqualTo(9);
        assertThat(mark.lastOffset).isEqualTo(41);
        assertThat(mark.appends).isPositive().isLessThan(mark.gap);
        assertThat(mark.pauses).isZero();
        assertThat(page.broker()).isEqualTo(5);
    }

    @Test
    void aPauseOfThisJvmIsReportedWithTheAnswerThatItDelayed() {
        append(CANARY, 40, 41);
        pauses.tick(System.nanoTime() - TimeUnit.SECONDS.toNanos(10));
        fetch();

        FollowedMark mark = page().followed.get(0);
        assertThat(mark.pauses)
                .as("it has lasted since before the answer")
                .isEqualTo(mark.gap)
                .isPositive();
    }

    @Test
    void anAnswerWithoutRecordsOfTheCanaryLeavesNone() {
        append(ORDERS, 0, 8);
        fetch();
        append(CANARY, 40, -1);
        fetch();
        fetch();

        assertThat(page().followed).isEmpty();
    }

    @Test
    void aRequestThatFailedLeavesNone() {
        FollowerAdvice.sends(1, 3, ApiKeys.FETCH);
        append(CANARY, 40, 41);
        fetch();

        assertThat(page().followed).isEmpty();
    }

    /** A log that is being moved to another directory is appended to by a thread that fetches nothing. */
    @Test
    void aThreadThatFetchesNothingLeavesNone() throws Exception {
        Thread mover = new Thread(() -> {
            append(CANARY, 40, 41);
            append(CANARY, 42, 43);
        });
        mover.start();
        mover.join();
        fetch();

        assertThat(page().followed).isEmpty();
    }

    @Test
    void ofSeveralPartitionsEachHasAMarkUpToABound() {
        for (int i = 0; i < FollowerAdvice.MOST_PARTITIONS + 5; i++) {
            append(new TopicPartition("phasewise-canary-fast", i), 7, 7);
        }
        fetch();

        assertThat(page().followed)
                .hasSize(FollowerAdvice.MOST_PARTITIONS)
                .extracting(each -> each.partition)
                .startsWith(0, 1, 2);
    }

    @Test
    void anAppendThatFailedLeavesNothingToTheNextOfTheThread() {
        FollowerAdvice.isFollowed(CANARY);
        FollowerAdvice.appends(CANARY, TOPIC, 9, 5);
        append(ORDERS, 50, 51);
        fetch();

        assertThat(page().followed).isEmpty();
    }

    @Test
    void switchedOffNothingIsLearnt() {
        append(CANARY, 40, 41);
        marks.enable(false);
        fetch();
        append(CANARY, 42, 43);
        marks.enable(true);
        fetch();

        assertThat(page().followed).isEmpty();
    }

    @Test
    void anAnswerWithoutRecordsOfTheCanaryIsReportedWhereItTookOverAMillisecond() {
        stopClock();
        append(CANARY, 40, 41);
        fetch();
        append(ORDERS, 0, 8);
        passMillis(3);
        fetch();
        fetch();
        append(CANARY, 42, 42);
        fetch();

        MarkPage page = page();
        long first = page.followed.get(0).request;
        assertThat(page.followed).extracting(mark -> mark.request).containsExactly(first, first + 3);
        assertThat(page.gaps).hasSize(1);
        GapMark gap = page.gaps.get(0);
        assertThat(gap.request).isEqualTo(first + 1);
        assertThat(gap.leader).isEqualTo(1);
        assertThat(gap.fetcher).isEqualTo(3);
        assertThat(gap.gap).isEqualTo(TimeUnit.MILLISECONDS.toNanos(3));
        assertThat(gap.appends).isPositive().isLessThan(gap.gap);
        assertThat(gap.pauses).isZero();
    }

    /** A fetcher thread also asks for offsets, which the leader does not count among its fetches. */
    @Test
    void onlyFetchesAreNumbered() {
        append(CANARY, 40, 41);
        fetch();
        FollowerAdvice.sends(1, 3, ApiKeys.OFFSET_FOR_LEADER_EPOCH);
        FollowerAdvice.answered();
        fetch();
        append(CANARY, 42, 42);
        fetch();

        long first = page().followed.get(0).request;
        assertThat(page().followed).extracting(mark -> mark.request).containsExactly(first, first + 2);
    }

    @Test
    void aLaterThreadsNumbersAreHigher() throws Exception {
        append(CANARY, 40, 41);
        fetch();
        Thread later = new Thread(() -> {
            fetch();
            append(CANARY, 42, 43);
            fetch();
        });
        later.start();
        later.join();

        assertThat(page().followed).hasSize(2);
        assertThat(page().followed.get(1).request).isGreaterThan(page().followed.get(0).request);
    }

    private volatile long now;

    /** From now on time passes only as the test says. */
    private void stopClock() {
        now = System.nanoTime();
        FollowerAdvice.nanoClock = () -> now;
        fetch();
    }

    private void passMillis(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private static void inAnotherThread(Runnable fetching) throws InterruptedException {
        Thread thread = new Thread(fetching);
        thread.start();
        thread.join();
    }

    /** A broker fetches with many threads, and few of them fetch what the canary sent. */
    @Test
    void gapsOfAThreadThatLatelyAppendedNothingOfTheCanaryAreNotReported() throws Exception {
        stopClock();
        inAnotherThread(() -> {
            fetch();
            append(ORDERS, 0, 8);
            passMillis(3);
            fetch();
            append(CANARY, 40, 41);
            fetch();
            append(ORDERS, 9, 9);
            passMillis(120_000);
            fetch();
            passMillis(4);
            fetch();
        });

        MarkPage page = page();
        assertThat(page.gaps).singleElement().satisfies(gap -> {
            assertThat(gap.request).isEqualTo(page.followed.get(0).request + 1);
            assertThat(gap.cut).as("the first one is missing").isTrue();
        });
    }

    /** What comes before a question for offsets, and after its answer, is one gap. */
    @Test
    void aGapThatAQuestionForOffsetsInterruptsEndsWithTheNextFetch() {
        stopClock();
        append(CANARY, 40, 41);
        fetch();
        passMillis(3);
        FollowerAdvice.sends(1, 3, ApiKeys.OFFSET_FOR_LEADER_EPOCH);
        passMillis(50);
        FollowerAdvice.answered();
        passMillis(2);
        fetch();
        append(CANARY, 42, 42);
        passMillis(1);
        FollowerAdvice.sends(1, 3, ApiKeys.LIST_OFFSETS);
        FollowerAdvice.answered();
        passMillis(4);
        fetch();

        MarkPage page = page();
        long first = page.followed.get(0).request;
        assertThat(page.gaps)
                .singleElement()
                .returns(first + 1, gap -> gap.request)
                .returns(TimeUnit.MILLISECONDS.toNanos(5), gap -> gap.gap);
        assertThat(page.followed).hasSize(2);
        assertThat(page.followed.get(1).request).isEqualTo(first + 2);
        assertThat(page.followed.get(1).gap).isEqualTo(TimeUnit.MILLISECONDS.toNanos(5));
    }

    @Test
    void aThreadThatThereIsNoRoomForReportsOnceThereIsAndThatGapsAreMissing() throws Exception {
        stopClock();
        inAnotherThread(() -> {
            fetch();
            append(CANARY, 40, 41);
            fetch();
            fillGaps();
            passMillis(3);
            fetch();
            FollowerAdvice.GAPS.drain(); // those threads have ended
            passMillis(4);
            fetch();
        });

        assertThat(FollowerAdvice.GAPS.drain())
                .singleElement()
                .returns(TimeUnit.MILLISECONDS.toNanos(4), gap -> gap.gap)
                .returns(true, gap -> gap.cut);
    }

    private static void fillGaps() {
        Thread others = new Thread(() -> {
            FollowerGaps.Fetcher begun = FollowerAdvice.GAPS.begin(1, 0);
            while (begun != null) {
                begun = FollowerAdvice.GAPS.begin(1, 0);
            }
        });
        others.start();
        try {
            others.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
