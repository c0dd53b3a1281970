/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.marks.RequestMark;
import io.phasewise.exporter.TextFormat;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.Option;

/** What Kafka's classes call, in the order of a broker, and what a scrape shows of it. */
class MarksPartTest {

    private static final TopicPartition CANARY = new TopicPartition("phasewise-canary", 0);
    private static final Option<Uuid> TOPIC = Option.apply(Uuid.randomUuid());
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final AtomicLong later = new AtomicLong();
    private final MarksPart marks = new MarksPart(
            "phasewise-canary", new long[] {1_000_000, 1_000_000_000}, registry, () -> System.nanoTime() + later.get());

    @BeforeEach
    void switchOn() {
        marks.enable(true);
    }

    @AfterEach
    void switchOff() {
        marks.enable(false);
    }

    private static void append(TopicPartition partition, long offset) {
        append(partition, offset, offset);
    }

    private static void append(TopicPartition partition, long end, long offset) {
        if (MarkAdvice.isMarked(partition)) {
            MarkAdvice.leaderAppends(partition, TOPIC, 4, Set.of(1, 2, 3), 1);
        }
        MarkAdvice.logAppends("/data", true, end);
        MarkAdvice.firstAppended(offset);
        MarkAdvice.logAppended(offset);
    }

    private static void commit(TopicPartition partition, long end) {
        for (int follower : new int[] {2, 3}) {
            MarkAdvice.requestBegins(System.nanoTime());
            if (MarkAdvice.isAnyPending()) {
                MarkAdvice.followerFetches(partition, follower, end);
            }
        }
        if (MarkAdvice.isAnyPending()) {
            MarkAdvice.watermarkMoves(partition, end);
        }
    }

    private MarkPage page() {
        return MarkPage.parse(marks.page(1, 0));
    }

    private double value(String name) {
        return TextFormat.scrape(registry.scrape()).sum(name);
    }

    @Test
    void theCanarysRecordsAreFollowedAndAllAppendsTimed() {
        MarkAdvice.requestBegins(System.nanoTime());
        append(CANARY, 7);
        append(ORDERS, 0);
        commit(CANARY, 8);
        commit(ORDERS, 1);
        marks.ofCanary(RequestMark.Api.PRODUCE, "phasewise-canary-a", 2, 1, 2, 3, 4, 5, 6);

        assertThat(value("kafka_commit_seconds_count")).isOne();
        assertThat(value("kafka_replica_ack_seconds_count")).isEqualTo(2);
        assertThat(value("kafka_log_append_seconds_count")).isEqualTo(2);
        assertThat(value("kafka_commit_gated_seconds_total"))
                .isPositive()
                .isCloseTo(value("kafka_commit_seconds_sum"), within(1e-12));
        assertThat(MarkAdvice.marks.waiting()).isZero();
        MarkPage page = page();
        assertThat(page.active).isTrue();
        assertThat(page.sequence).isEqualTo(2);
        assertThat(page.requests).singleElement().returns(5L, request -> request.answered);
        RecordMark mark = page.records.get(0);
        assertThat(mark.topicId).isEqualTo(TOPIC.get().toString());
        assertThat(mark.leaderEpoch).isEqualTo(4);
        assertThat(mark.lastOffset).isEqualTo(7);
        assertThat(mark.arrivals.keySet()).containsExactly(2, 3);
        assertThat(List.of(mark.received, mark.appendBegan, mark.appended, mark.committed))
                .isSorted();
    }

    @Test
    void anHourSwitchedOffIsNoPause() {
        marks.enable(false);
        later.set(TimeUnit.HOURS.toNanos(1));
        marks.enable(true);
        // A second more is a pause: once it is counted, what was before it is counted, too.
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            later.addAndGet(TimeUnit.SECONDS.toNanos(1));
            return value("kafka_exporter_standstill_seconds_total") > 0.5;
        });

        assertThat(value("kafka_exporter_paused_seconds_total")).isLessThan(600);
    }

    @Test
    void whatWasNeverDroppedIsZeroByReason() {
        assertThat(TextFormat.of(registry.scrape()))
                .contains(MarkMetrics.REASONS.stream()
                        .map(reason -> "kafka_exporter_marks_dropped_total{reason=\"" + reason + "\"} 0.0")
                        .toList());
    }

    @Test
    void aFollowerArrivesWhenItsFetchIsReceived() {
        long before = System.nanoTime();
        append(CANARY, 0);
        MarkAdvice.requestBegins(before);
        MarkAdvice.followerFetches(CANARY, 2, 1);

        assertThat(value("kafka_replica_ack_seconds_count")).isOne();
        assertThat(value("kafka_replica_ack_seconds_sum")).isZero();
    }

    @Test
    void anAppendThatDoesNotReturnShowsItsAgeUntilItsThreadGoesOn() {
        MarkAdvice.requestBegins(System.nanoTime());
        MarkAdvice.logAppends("/data", true, 0);
        assertThat(value("kafka_log_append_oldest_seconds")).isPositive();
        MarkAdvice.logAppended(0);
        assertThat(value("kafka_log_append_oldest_seconds")).isZero();

        MarkAdvice.logAppends("/data", true, 1);
        MarkAdvice.requestBegins(System.nanoTime());
        assertThat(value("kafka_log_append_oldest_seconds")).as("it threw").isZero();
    }

    @Test
    void anAppendThatFailsLeavesNothingToTheNextOfTheThread() {
        MarkAdvice.leaderAppends(CANARY, TOPIC, 4, Set.of(1, 2), 1);
        append(ORDERS, 1_000_000);
        append(CANARY, 5);
        commit(CANARY, 6);

        assertThat(page().records).extracting(each -> each.lastOffset).containsExactly(5L);
        assertThat(MarkAdvice.marks.waiting()).isZero();
    }

    @Test
    void whatALeaderHasSinceItFollowedIsNoMarkWhenItsProducerRepeatsIt() {
        append(CANARY, 8, 7);
        append(CANARY, 8, 8);
        commit(CANARY, 9);

        assertThat(page().records).extracting(each -> each.lastOffset).containsExactly(8L);
        assertThat(value("kafka_exporter_marks_dropped_total")).isZero();
        assertThat(MarkAdvice.marks.waiting()).isZero();
    }

    @Test
    void whatIsAppendedAsAFollowerIsNoMark() {
        MarkAdvice.logAppends("/data", false, 0);
        MarkAdvice.logAppended(7);

        assertThat(value("kafka_log_append_seconds_count")).isOne();
        assertThat(MarkAdvice.marks.waiting()).isZero();
    }

    @Test
    void leadershipTruncationAndDeletionDropMarks() {
        append(CANARY, 0);
        MarkAdvice.leadsNoMore(CANARY);
        append(CANARY, 1);
        MarkAdvice.truncates(CANARY);
        append(CANARY, 2);
        MarkAdvice.deletes(CANARY);

        assertThat(value("kafka_exporter_marks_dropped_total")).isEqualTo(3);
        assertThat(MarkAdvice.marks.waiting()).isZero();
    }

    @Test
    void switchedOffNothingIsRecordedAndSwitchedOnAllIsAgain() {
        append(CANARY, 0);
        MarkAdvice.leaderAppends(CANARY, TOPIC, 4, Set.of(1, 2, 3), 1);
        marks.enable(false);
        assertThat(page().active).isFalse();
        MarkAdvice.logAppends("/data", true, 0);
        MarkAdvice.logAppended(1);
        append(CANARY, 2);
        commit(CANARY, 3);

        assertThat(value("kafka_commit_seconds_count")).isZero();
        assertThat(value("kafka_log_append_seconds_count")).isOne();
        assertThat(value("kafka_exporter_marks_dropped_total")).isOne();

        marks.enable(true);
        append(CANARY, 3);
        commit(CANARY, 4);
        assertThat(value("kafka_commit_seconds_count")).isOne();
        assertThat(MarkAdvice.marks.waiting()).isZero();
    }

    @Test
    void whatFailedStaysOff() {
        marks.failed(false);
        marks.enable(false);
        marks.enable(true);
        append(CANARY, 0);
        commit(CANARY, 1);

        assertThat(MarkAdvice.marks).isNull();
        assertThat(value("kafka_log_append_seconds_count")).isOne();
    }
}
