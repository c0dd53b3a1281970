/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PendingMark;
import io.phasewise.common.marks.RequestMark;
import io.phasewise.exporter.instrument.FakeJvm;
import io.phasewise.exporter.instrument.Hook;
import io.phasewise.exporter.instrument.Hooks;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.Option;

class MarkPagesTest {

    private static final TopicPartition CANARY = new TopicPartition("phasewise-canary", 0);
    private static final TopicPartition OTHER = new TopicPartition("phasewise-canary", 1);
    private static final Option<Uuid> TOPIC = Option.apply(Uuid.randomUuid());

    private final AtomicLong later = new AtomicLong();
    private final MarksPart marks = new MarksPart(
            "phasewise-canary",
            new long[] {1_000_000},
            new PrometheusRegistry(),
            () -> System.nanoTime() + later.get());

    @BeforeEach
    void switchOn() {
        marks.enable(true);
    }

    @AfterEach
    void switchOff() {
        marks.enable(false);
    }

    private MarkPage page(long after) {
        return MarkPage.parse(marks.page(2, after));
    }

    private void ping() {
        marks.ofCanary(RequestMark.Api.PING, "phasewise-canary-a-ping", 1, 1, 2, 3, 4, 5, 6);
    }

    private void aSecondPasses() {
        later.addAndGet(1_000_000_000);
    }

    private static void begin(long end) {
        begin(CANARY, end);
    }

    private static void begin(TopicPartition partition, long end) {
        MarkAdvice.requestBegins(System.nanoTime());
        MarkAdvice.isMarked(partition);
        MarkAdvice.leaderAppends(partition, TOPIC, 4, Set.of(1, 2, 3), 1);
        MarkAdvice.logAppends("/data", true, end);
    }

    private static void append(long offset) {
        append(CANARY, offset);
    }

    private static void append(TopicPartition partition, long offset) {
        begin(partition, offset);
        MarkAdvice.firstAppended(offset);
        MarkAdvice.logAppended(offset);
    }

    @Test
    void aPageIsMadeOnceASecondWhoeverAsks() {
        ping();
        String first = marks.page(2, 0);
        ping();
        append(7);

        assertThat(marks.page(2, 0)).isEqualTo(first);
        MarkPage none = page(1);
        assertThat(none.requests).isEmpty();
        assertThat(none.sequence).isEqualTo(1);
        assertThat(MarkPage.parse(first).requests).hasSize(1);

        aSecondPasses();
        MarkPage next = page(1);
        assertThat(next.requests).hasSize(1);
        assertThat(next.pending).hasSize(1);
        assertThat(next.sequence).isEqualTo(2);
        assertThat(next.made()).isGreaterThan(none.made());
        assertThat(page(0).requests).as("who comes later has all of it").hasSize(2);
    }

    @Test
    void aReaderOfTheFirstFormIsAnsweredAtOnceAndAsBefore() {
        page(0);
        marks.ofCanary(RequestMark.Api.PRODUCE, "phasewise-canary-a", 1, 1, 2, 3, 4, 5, 6);
        ping();

        assertThat(marks.page(1, 0))
                .startsWith("phasewise-marks 1\npage boot=")
                .endsWith(" active=true sequence=2 missed=0\n"
                        + "request received=1 dequeued=2 handled=3 completed=4 answered=5 sent=6\n");
    }

    @Test
    void whatIsPendingIsReportedWithWhatItHasSoFar() {
        append(7);
        MarkAdvice.followerFetches(CANARY, 3, 8);

        PendingMark mark = page(0).pending.get(0);
        assertThat(mark.topicId).isEqualTo(TOPIC.get().toString());
        assertThat(mark.firstOffset).isEqualTo(7);
        assertThat(mark.lastOffset).isEqualTo(7);
        assertThat(mark.leaderEpoch).isEqualTo(4);
        assertThat(mark.arrivals).containsOnlyKeys(3);
        assertThat(mark.learned.get(3)).isGreaterThanOrEqualTo(mark.arrivals.get(3));
        assertThat(mark.arrivals.get(3)).isGreaterThanOrEqualTo(mark.appended);
    }

    @Test
    void anAppendThatLastsIsPending() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        Thread handler = new Thread(() -> {
            begin(7);
            began.countDown();
            try {
                told.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            MarkAdvice.firstAppended(7);
            MarkAdvice.logAppended(7);
        });
        handler.start();
        began.await();
        PendingMark mark = page(0).pending.get(0);
        told.countDown();
        handler.join();

        assertThat(mark.firstOffset).isEqualTo(7);
        assertThat(mark.appended).isEqualTo(MarkPage.UNKNOWN);
        assertThat(mark.lastOffset).isEqualTo(MarkPage.UNKNOWN);
        assertThat(mark.received).isLessThanOrEqualTo(mark.appendBegan);
        assertThat(mark.leaderEpoch).isEqualTo(4);
        aSecondPasses();
        assertThat(page(0).pending).singleElement().returns(7L, each -> each.lastOffset);
    }

    @Test
    void theOldestOfWhatIsPendingAreReported() {
        for (int i = 0; i < MarkPage.MOST_PENDING + 10; i++) {
            append(i);
        }

        assertThat(page(0).pending)
                .hasSize(MarkPage.MOST_PENDING)
                .extracting(each -> each.firstOffset)
                .startsWith(0L, 1L)
                .isSorted();
    }

    @Test
    void fetchesThatARecordWaitedForArePartOfThePage() {
        long before = System.nanoTime();
        append(7);
        marks.ofFollower("broker-2-fetcher-1", "c", 3, before, before, before, before, System.nanoTime());
        MarkAdvice.followerFetches(CANARY, 2, 8);
        MarkAdvice.followerFetches(CANARY, 3, 8);
        MarkAdvice.watermarkMoves(CANARY, 8);
        long after = System.nanoTime();
        marks.ofFollower("broker-2-fetcher-1", "c", 3, after, after, after, after, after);

        MarkPage page = page(0);
        assertThat(page.fetchers).singleElement().returns(before, each -> each.received);
        assertThat(page.missedFetchers()).isZero();
        assertThat(page.records.get(0).learned).containsOnlyKeys(2, 3);
        assertThat(page.broker()).isEqualTo(1);
    }

    @Test
    void anAppendThatEndsAfterMarksWereSwitchedOffLeavesNoFollowerAwaited() {
        begin(7);
        marks.enable(false);
        MarkAdvice.firstAppended(7);
        MarkAdvice.logAppended(7);
        marks.enable(true);
        long now = System.nanoTime();
        marks.ofFollower("broker-2-fetcher-1", "c", 3, now, now, now, now, now);

        assertThat(page(0).fetchers).isEmpty();
    }

    @Test
    void aBatchWhoseAppendHasEndedMeanwhileIsPendingOnce() throws Exception {
        append(7);
        long began = page(0).pending.get(0).appendBegan;
        aSecondPasses();

        assertThat(page(0).pending).singleElement().returns(began, each -> each.appendBegan);
    }

    @Test
    void anAppendThatThrewIsNotPendingOnceItsRequestIsOver() {
        begin(7);
        assertThat(page(0).pending).hasSize(1);
        MarkAdvice.requestEnds();
        aSecondPasses();

        assertThat(page(0).pending).isEmpty();
        assertThat(MarkAdvice.marks.waiting()).isZero();
    }

    @Test
    void ofSeveralPartitionsTheOldestAreReported() {
        for (int i = 0; i < MarkPage.MOST_PENDING; i++) {
            append(CANARY, i);
            append(OTHER, i);
        }

        assertThat(page(0).pending).hasSize(MarkPage.MOST_PENDING).allMatch(each -> each.firstOffset < 128);
    }

    @Test
    void aPageSaysWhetherItTellsOfNetworkThreads() throws Exception {
        Thread thread = new Thread(() -> {
            NetworkAdvice.threadBegins(3, "BROKER");
            NetworkAdvice.selected(true);
            NetworkAdvice.sends();
            NetworkAdvice.sent();
        });
        thread.start();
        thread.join();
        assertThat(page(0).reportsBusy()).isTrue();

        marks.enable(false);
        aSecondPasses();
        assertThat(page(0).reportsBusy()).isFalse();
    }

    /** Requests are timed by another hook, which this must not end. */
    @Test
    void whatFailsOfRequestsEndsNeitherTheirTimesNorOtherMarks() {
        try (FakeJvm jvm = new FakeJvm()) {
            marks.ofFollower("broker-2-fetcher-1", null, 3, 1, 1, 1, 1, 1);
            marks.ofFollower("broker-2-fetcher-1", null, 3, 1, 1, 1, 1, 1);
            assertThat(jvm.log()).singleElement().asString().contains("requests are not part of marks");
        }
        ping();
        append(7);

        assertThat(page(0).requests).isEmpty();
        assertThat(page(0).pending).hasSize(1);
    }

    /** What a hook would say is then missing, and nothing else. */
    @Test
    void aNewHookThatFailsTakesNoMarksWithIt() {
        try (FakeJvm jvm = new FakeJvm(marks.hooks().toArray(Hook[]::new))) {
            Hooks.failed(new IllegalStateException("on purpose"), MarkHooks.NETWORK_THREADS);
            Hooks.failed(new IllegalStateException("on purpose"), MarkHooks.REPLICA_FETCHES);
            assertThat(jvm.log()).hasSize(2).allMatch(line -> line.contains("everything else goes on"));
        }
        append(7);

        assertThat(page(0).active).isTrue();
        assertThat(page(0).pending).hasSize(1);
        assertThat(NetworkAdvice.on).isFalse();
        assertThat(FollowerAdvice.followed).isNull();
        marks.enable(false);
        marks.enable(true);
        assertThat(NetworkAdvice.on).isFalse();
        assertThat(FollowerAdvice.followed).isNull();
    }

    @Test
    void switchedOffAPageSaysSo() {
        append(7);
        marks.enable(false);

        assertThat(page(0).active).isFalse();
        assertThat(page(0).pending).isEmpty();
    }
}
