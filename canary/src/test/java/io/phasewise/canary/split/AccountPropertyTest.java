/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.account.Accounts;
import io.phasewise.canary.account.OwnClients;
import io.phasewise.canary.marks.MarkStore;
import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import io.phasewise.common.marks.BusyMark;
import io.phasewise.common.marks.FetcherMark;
import io.phasewise.common.marks.FollowedMark;
import io.phasewise.common.marks.GapMark;
import io.phasewise.common.marks.Mark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PauseMark;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.marks.RequestMark;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Whatever brokers report, in whatever order, and whatever of it is lost: the parts sum to the phases. */
class AccountPropertyTest {
    private static final String TOPIC = "kPx0";
    private static final String CONSUMER = "consumer";
    private static final int BROKERS = 4;

    /** One course of events. */
    private static final class Run {
        final Random random;
        final MarkStore store = new MarkStore(new OwnClients(Set.of(CONSUMER), Set.of("")), System::nanoTime);
        final PollLog polls = new PollLog(60_000_000_000L, 1_024);
        final Map<Trip, Breakdown> split =
                new TreeMap<>((one, other) -> Long.compare(one.sequence(), other.sequence()));
        final List<List<Mark>> unread = new ArrayList<>();
        final List<Trip> trips = new ArrayList<>();
        final Splitter splitter;
        final long[] ahead = new long[BROKERS];
        Timeline front;
        long now;
        long sequence;

        Run(long seed) {
            random = new Random(seed);
            splitter = new Splitter(
                    new PhaseEstimator(
                            random.nextBoolean() ? Acks.ALL : Acks.LEADER,
                            random.nextInt(4) == 0 ? Attribution.POSITION : Attribution.CRITICAL_PATH,
                            polls,
                            new BrokerClocks()),
                    Optional.of(store),
                    new OwnWaits(
                            CONSUMER,
                            random.nextBoolean(),
                            random.nextInt(3) * 1_000_000L,
                            5_000_000_000L,
                            (from, to) -> Math.max(0, to - from) / (1 + random.nextInt(9))),
                    (reason, leader) -> {},
                    List.of((trip, breakdown) -> split.put(trip, breakdown)));
            splitter.topic(TOPIC);
            polls.entered(0);
            for (int broker = 0; broker < BROKERS; broker++) {
                unread.add(new ArrayList<>());
                ahead[broker] = random.nextLong() / 4;
            }
        }

        /** Mostly some milliseconds, sometimes none or seconds. */
        long some() {
            return switch (random.nextInt(10)) {
                case 0 -> 0;
                case 1 -> random.nextInt(3_000_000) * 1_000L;
                default -> random.nextInt(20_000_000);
            };
        }

        /** On a broker's clock. Sometimes wrong. */
        long there(int broker, long instant) {
            return ahead[broker] + instant + (random.nextInt(50) == 0 ? random.nextInt() : 0);
        }

        void probe() {
            long t0 = now;
            now += some();
            int scheduled = random.nextInt(BROKERS);
            int leader = random.nextInt(8) == 0 ? random.nextInt(BROKERS) : scheduled;
            int partition = leader;
            List<Long> dispatches = new ArrayList<>();
            long at = t0 + some();
            for (int i = random.nextInt(12) / 10 + random.nextInt(20) / 19; i >= 0; i--) {
                dispatches.add(at);
                at += random.nextInt(2) * some();
            }
            long dispatched = dispatches.get(dispatches.size() - 1);
            long received = dispatched + some();
            long dequeued = received + some();
            long began = dequeued + some();
            long appended = began + some();
            Map<Integer, Long> arrivals = new TreeMap<>();
            Map<Integer, Long> learned = new TreeMap<>();
            long committed = appended;
            for (int follower = 0; follower < BROKERS; follower++) {
                if (follower != leader && random.nextInt(3) > 0) {
                    long arrival = appended + some();
                    long knows = arrival + some() / 10;
                    arrivals.put(follower, there(leader, arrival));
                    learned.put(follower, there(leader, knows));
                    committed = Math.max(committed, knows);
                    follow(leader, partition, follower, appended, arrival);
                }
            }
            committed += random.nextInt(3) == 0 ? some() : 0;
            long completed = committed + some() / 10;
            long acknowledged = completed + some() / 10 + some();
            long t5 = Math.max(completed, at) + some();
            int reader = random.nextInt(6) == 0 ? random.nextInt(BROKERS) : leader;
            busy(leader, received);
            add(
                    leader,
                    new RecordMark(
                            TOPIC,
                            partition,
                            1,
                            sequence,
                            sequence,
                            random.nextInt(20) == 0 ? MarkPage.UNKNOWN : there(leader, received),
                            there(leader, began),
                            there(leader, appended),
                            there(leader, committed),
                            arrivals,
                            random.nextInt(10) == 0 ? Map.of() : learned));
            add(
                    leader,
                    new RequestMark(
                            RequestMark.Api.PRODUCE,
                            "producer",
                            random.nextInt(3) - 1,
                            there(leader, received),
                            there(leader, dequeued),
                            there(leader, appended),
                            there(leader, completed),
                            there(leader, completed),
                            there(leader, completed + some())));
            add(
                    reader,
                    new RequestMark(
                            RequestMark.Api.FETCH,
                            CONSUMER,
                            random.nextInt(3) - 1,
                            there(reader, t0 + some() / 2),
                            there(reader, t0 + some()),
                            there(reader, t0 + some()),
                            there(reader, completed),
                            there(reader, completed + some() / 20),
                            there(reader, completed + some() / 5)));
            polls.left(Math.max(t5, now), new int[] {partition}, random.nextInt(2));
            now = Math.max(t5, now);
            polls.entered(now);
            trip(t0, scheduled, leader, partition, dispatches, acknowledged, now, reader);
        }

        void follow(int leader, int partition, int follower, long appended, long arrival) {
            int fetcher = random.nextInt(2);
            int thread = random.nextInt(3) - 1;
            long received = appended - some();
            long completed = appended + some() / 20;
            long sent = completed + some() / 10;
            add(
                    leader,
                    new FetcherMark(
                            follower,
                            fetcher,
                            thread,
                            there(leader, received),
                            there(leader, received + some() / 9),
                            there(leader, completed),
                            there(leader, (completed + sent) / 2),
                            there(leader, sent),
                            random.nextInt(20) == 0,
                            random.nextInt(3)));
            add(
                    leader,
                    new FetcherMark(
                            follower,
                            fetcher,
                            thread,
                            there(leader, arrival),
                            there(leader, arrival + some() / 9),
                            there(leader, arrival + some()),
                            there(leader, arrival + some()),
                            there(leader, arrival + some())));
            long gap = some();
            add(
                    follower,
                    new FollowedMark(
                            leader,
                            fetcher,
                            sequence - random.nextInt(2),
                            TOPIC,
                            partition,
                            1,
                            sequence,
                            gap,
                            some() / 2,
                            random.nextInt(4) == 0 ? some() : 0));
            if (random.nextBoolean()) {
                long other = sequence - random.nextInt(3);
                boolean cut = random.nextInt(9) == 0;
                add(follower, new GapMark(leader, fetcher, other, some(), some() / 2, some() / 9, cut));
            }
            busy(leader, arrival);
        }

        void busy(int broker, long around) {
            if (random.nextInt(3) == 0) {
                long began = around - some();
                add(
                        broker,
                        new BusyMark(
                                random.nextInt(3) - 1, there(broker, began), there(broker, began + some()), some()));
            }
            if (random.nextInt(8) == 0) {
                long began = around - some();
                add(broker, new PauseMark(there(broker, began), there(broker, began + 50_000_000 + some())));
            }
        }

        void add(int broker, Mark mark) {
            if (random.nextInt(12) > 0) {
                unread.get(broker).add(mark);
            }
        }

        void trip(
                long t0,
                int scheduled,
                int leader,
                int partition,
                List<Long> dispatches,
                long acknowledged,
                long t5,
                int reader) {
            List<Wait> waits = front != null && random.nextBoolean()
                    ? List.of(new Wait(front, t0 + some() / 4, t0 + some()))
                    : List.of();
            front = Timeline.ofRequest(
                            t0,
                            dispatches.get(0),
                            dispatches.get(0) + some(),
                            t0 + some(),
                            Math.max(t0, acknowledged),
                            Acks.ALL)
                    .behind(waits);
            Optional<SendResult> sent = random.nextInt(15) == 0
                    ? Optional.empty()
                    : Optional.of(SendResult.of(
                            random.nextInt(15) == 0 ? List.of() : dispatches,
                            random.nextInt(9) == 0 ? Instants.UNKNOWN : acknowledged,
                            leader,
                            waits,
                            t0 + some() / 4,
                            random.nextInt(4) == 0 ? some() : 0,
                            null));
            Delivery back = new Delivery(
                    t5, Delivery.NO_APPEND_TIME, sequence, reader == leader ? Delivery.BY_THE_LEADER : reader, 1);
            Trip trip =
                    new Trip(partition, sequence++, scheduled, t0, Outcome.DELIVERED, sent, Optional.of(back), false);
            trips.add(trip);
            splitter.add(trip);
        }

        /** In any order, of any form; what was not read when a broker starts again is lost. */
        void page(int broker) {
            List<Mark> marks = unread.get(broker);
            Collections.shuffle(marks, random);
            boolean old = random.nextInt(12) == 0;
            String boot = "boot" + broker + (random.nextInt(40) == 0 ? random.nextInt() : "");
            MarkPage page = old
                    ? new MarkPage(boot, true, 1, 0)
                    : MarkPage.second(boot, true, 1, random.nextInt(20) / 19).withBusy(random.nextInt(3) > 0);
            marks.forEach(page::add);
            marks.clear();
            if (random.nextInt(20) == 0) {
                store.of(broker).silent();
            } else {
                store.add(broker, page);
            }
        }
    }

    @Property(tries = 400)
    void thePartsSumToThePhasesAndNoneIsNegative(@ForAll long seed) {
        Run run = new Run(seed);
        for (int i = 0; i < BROKERS; i++) {
            run.page(i);
        }
        for (int i = 0; i < 60; i++) {
            run.probe();
            if (run.random.nextInt(3) == 0) {
                run.page(run.random.nextInt(BROKERS));
            }
            if (run.random.nextInt(3) == 0) {
                run.splitter.turn(run.now);
            }
        }
        run.splitter.finish(run.now);

        assertThat(run.split.keySet()).containsExactlyElementsOf(run.trips);
        run.split.values().forEach(AccountPropertyTest::holds);
    }

    private static void holds(Breakdown breakdown) {
        Account account = breakdown.account();
        for (Phase phase : Phase.values()) {
            assertThat(Accounts.sum(account, phase))
                    .isEqualTo(breakdown.phases().of(phase));
        }
        for (int part = 0; part < account.size(); part++) {
            assertThat(account.nanos(part)).isPositive();
            boolean nobodys = account.role(part) == Role.CLIENT || account.role(part) == Role.CONTROLLER;
            assertThat(account.broker(part) == Account.NO_BROKER).isEqualTo(nobodys);
        }
    }

    /** The cases above are not all of one kind: each role is somebody's time. */
    @Test
    void theCoursesReachEveryRole() {
        Map<Role, Long> seen = new TreeMap<>();
        for (long seed = 0; seed < 40; seed++) {
            Run run = new Run(seed);
            for (int i = 0; i < BROKERS; i++) {
                run.page(i);
            }
            for (int i = 0; i < 60; i++) {
                run.probe();
                run.page(i % BROKERS);
                run.splitter.turn(run.now);
            }
            run.splitter.finish(run.now);
            run.split.values().forEach(each -> count(each.account(), seen));
        }
        assertThat(seen.keySet()).containsExactlyElementsOf(Arrays.asList(Role.values()));
    }

    private static void count(Account account, Map<Role, Long> seen) {
        for (int part = 0; part < account.size(); part++) {
            seen.merge(account.role(part), account.nanos(part), Long::sum);
        }
    }
}
