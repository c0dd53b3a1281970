/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static io.phasewise.exporter.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.marks.BusyMark;
import io.phasewise.common.marks.FetcherMark;
import io.phasewise.common.marks.FollowedMark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PauseMark;
import io.phasewise.common.marks.PendingMark;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.marks.RequestMark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Holds what brokers tell of the canary's waits to what was done to them. */
final class WaitChecks {

    private static final String TOPIC = "phasewise-canary";
    private static final int PARTITIONS = 3;
    private static final int RECORDS = 60;
    private static final String CLIENT = "phasewise-canary-test";
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final ExportingCluster cluster;
    private final Map<Integer, Told> told = new HashMap<>();

    /** All that one broker has told. */
    private static final class Told {
        private MarkPage last;
        private final List<RecordMark> records = new ArrayList<>();
        private final List<RequestMark> requests = new ArrayList<>();
        private final List<FetcherMark> fetchers = new ArrayList<>();
        private final List<PauseMark> pauses = new ArrayList<>();
        private final List<BusyMark> busy = new ArrayList<>();
        private final List<FollowedMark> followed = new ArrayList<>();

        private void add(MarkPage page) {
            assertThat(page.missed).isZero();
            last = page;
            records.addAll(page.records);
            requests.addAll(page.requests);
            fetchers.addAll(page.fetchers);
            pauses.addAll(page.pauses);
            busy.addAll(page.busy);
            followed.addAll(page.followed);
        }

        private List<RequestMark> requests(RequestMark.Api api) {
            return requests.stream().filter(each -> each.api == api).toList();
        }
    }

    /** Sends to three brokers, on which nobody else has the canary's topic. */
    WaitChecks(ExportingCluster cluster) throws Exception {
        this.cluster = cluster;
        cluster.kafka().createTopic(TOPIC, PARTITIONS, 3, Map.of());
        await("all are in sync")
                .until(() -> cluster.topic(TOPIC).partitions().stream()
                        .allMatch(partition -> partition.isr().size() == 3));
        cluster.brokers().forEach(id -> told.put(id, new Told()));
    }

    void hold() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                cluster.traffic().as(CLIENT).producer(Map.of("linger.ms", 0))) {
            for (int i = 0; i < RECORDS; i++) {
                send(producer, i % PARTITIONS).get(30, TimeUnit.SECONDS);
                LockSupport.parkNanos(10_000_000);
            }
            cluster.traffic().as(CLIENT + "-consumer").consume(TOPIC, PARTITIONS, RECORDS);
            cluster.kafka().createTopic("others", 1, 1, Map.of());
            cluster.traffic().as(CLIENT + "-ping").produce("others", 1, 1);
            readUntil(
                    "all records are told",
                    () -> told.values().stream()
                                    .mapToInt(each -> each.records.size())
                                    .sum()
                            == RECORDS);
            readUntil("fetches are told", () -> told.values().stream().allMatch(this::isWhole));
            everyRecordHasItsFetches();
            everyRecordIsFollowed();
            requestsAreTold();
            aPausedFollowerIsSeenWhileItIsPaused(producer);
            networkThreadsThatWaitForRoomAreBusy();
        }
    }

    private boolean isWhole(Told each) {
        return each.records.stream()
                .allMatch(mark -> mark.arrivals.keySet().stream()
                        .allMatch(
                                follower -> acknowledging(each, mark, follower).isPresent()));
    }

    /** The fetch that acknowledged a record is answered later than the record is committed. */
    private static Optional<FetcherMark> acknowledging(Told each, RecordMark mark, int follower) {
        long arrival = mark.arrivals.get(follower);
        return each.fetchers.stream()
                .filter(fetch -> fetch.follower == follower)
                .filter(fetch -> fetch.received == arrival || arrival == mark.appended && fetch.received <= arrival)
                .findFirst();
    }

    private void everyRecordHasItsFetches() {
        told.forEach((leader, its) -> {
            assertThat(its.last.broker()).isEqualTo(leader);
            assertThat(its.records).hasSize(RECORDS / PARTITIONS).allSatisfy(mark -> {
                assertThat(mark.learned.keySet()).isEqualTo(mark.arrivals.keySet());
                mark.learned.forEach(
                        (follower, at) -> assertThat(at).isBetween(mark.arrivals.get(follower), mark.committed));
                assertThat(its.requests(RequestMark.Api.PRODUCE))
                        .filteredOn(request -> request.received == mark.received)
                        .singleElement()
                        .returns(CLIENT, request -> request.client);
            });
            assertThat(its.fetchers).allSatisfy(fetch -> {
                assertThat(List.of(fetch.received, fetch.dequeued, fetch.completed, fetch.answered, fetch.sent))
                        .isSorted();
                assertThat(fetch.fetcher).isBetween(0, 1);
                assertThat(fetch.follower).isNotEqualTo(leader);
                assertThat(fetch.processor).isNotNegative();
            });
        });
    }

    /** Followers find their part of a leader's marks without any clock. */
    private void everyRecordIsFollowed() {
        told.forEach((leader, its) ->
                its.records.forEach(mark -> mark.arrivals.keySet().forEach(follower -> {
                    assertThat(told.get(follower).followed)
                            .filteredOn(part -> part.leader == leader
                                    && part.topicId.equals(mark.topicId)
                                    && part.partition == mark.partition
                                    && part.leaderEpoch == mark.leaderEpoch
                                    && part.lastOffset >= mark.lastOffset)
                            .isNotEmpty()
                            .allMatch(part -> part.appends > 0 && part.appends <= part.gap && part.pauses <= part.gap);
                })));
    }

    private void requestsAreTold() {
        told.forEach((broker, its) -> {
            assertThat(its.requests(RequestMark.Api.FETCH))
                    .isNotEmpty()
                    .allMatch(request -> request.client.equals(CLIENT + "-consumer") && request.processor >= 0);
            assertThat(its.requests)
                    .allSatisfy(request -> assertThat(List.of(
                                    request.received,
                                    request.dequeued,
                                    request.handled,
                                    request.completed,
                                    request.answered,
                                    request.sent))
                            .isSorted());
        });
        assertThat(told.values().stream().flatMap(its -> its.requests(RequestMark.Api.PING).stream()))
                .isNotEmpty()
                .allMatch(request -> request.client.equals(CLIENT + "-ping"));
    }

    private void aPausedFollowerIsSeenWhileItIsPaused(KafkaProducer<byte[], byte[]> producer) throws Exception {
        int leader = cluster.topic(TOPIC).partitions().get(0).leader().id();
        int follower = cluster.brokers().stream()
                .filter(id -> id != leader)
                .findFirst()
                .orElseThrow();
        int other = 6 - leader - follower;
        cluster.kafka().broker(follower).pause();
        Future<RecordMetadata> sent;
        try {
            sent = send(producer, 0);
            readUntil("the record has waited for it", List.of(leader, other), () -> {
                MarkPage page = told.get(leader).last;
                return page.pending.stream()
                        .anyMatch(
                                mark -> page.made() - mark.appended > PAUSE_NANOS && isHeldBack(mark, follower, other));
            });
        } finally {
            cluster.kafka().broker(follower).resume();
        }
        long offset = sent.get(30, TimeUnit.SECONDS).offset();
        readUntil(
                "the follower tells of its pause",
                () -> told.get(follower).pauses.stream()
                        .anyMatch(pause -> pause.ended - pause.began > PAUSE_NANOS * 9 / 10));
        readUntil(
                "the record is committed",
                () -> told.get(leader).records.stream()
                        .anyMatch(mark -> mark.partition == 0 && mark.lastOffset == offset));
    }

    private static boolean isHeldBack(PendingMark mark, int follower, int other) {
        return mark.partition == 0 && mark.arrivals.containsKey(other) && !mark.arrivals.containsKey(follower);
    }

    /** A request handler that appends megabytes leaves the queue, which has one place, full. */
    private void networkThreadsThatWaitForRoomAreBusy() throws Exception {
        cluster.kafka().createTopic("large", 6, 3, Map.of());
        List<KafkaProducer<byte[], byte[]>> producers = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                producers.add(cluster.traffic().as("large-" + i).producer(Map.of("acks", "1", "linger.ms", 0)));
            }
            readUntil("network threads have waited", () -> {
                for (KafkaProducer<byte[], byte[]> each : producers) {
                    for (int partition = 0; partition < 6; partition++) {
                        each.send(new ProducerRecord<>("large", partition, null, new byte[900_000]));
                    }
                }
                producers.forEach(KafkaProducer::flush);
                return told.values().stream().flatMap(its -> its.busy.stream()).anyMatch(WaitChecks::waitedForRoom);
            });
        } finally {
            producers.forEach(KafkaProducer::close);
        }
        told.forEach((broker, its) -> {
            assertThat(its.last.reportsBusy()).isTrue();
            List<Integer> known = its.requests.stream()
                    .map(request -> request.processor)
                    .distinct()
                    .collect(Collectors.toList());
            assertThat(its.busy).isNotEmpty().allSatisfy(busy -> {
                assertThat(busy.ended).isGreaterThan(busy.began);
                assertThat(busy.queueFull).isBetween(0L, busy.ended - busy.began);
                assertThat(busy.processor).isBetween(0, 5);
            });
            assertThat(known).isNotEmpty().allMatch(id -> id >= 0 && id <= 5);
        });
    }

    /** Any request that is put into a queue with room takes some nanoseconds: this is no such one. */
    private static boolean waitedForRoom(BusyMark busy) {
        return busy.queueFull > TimeUnit.MILLISECONDS.toNanos(1) && busy.queueFull >= (busy.ended - busy.began) / 2;
    }

    private static Future<RecordMetadata> send(KafkaProducer<byte[], byte[]> producer, int partition) {
        return producer.send(new ProducerRecord<>(TOPIC, partition, null, new byte[100]));
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private void readUntil(String what, Condition condition) {
        readUntil(what, cluster.brokers(), condition);
    }

    private void readUntil(String what, List<Integer> brokers, Condition condition) {
        await(what).until(() -> {
            for (int broker : brokers) {
                read(broker);
            }
            return condition.holds();
        });
    }

    private void read(int broker) throws IOException, InterruptedException {
        Told its = told.get(broker);
        its.add(cluster.marksOfSecondForm(broker, its.last == null ? 0 : its.last.sequence));
    }
}
