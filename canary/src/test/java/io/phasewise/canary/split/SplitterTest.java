/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.account.OwnClients;
import io.phasewise.canary.marks.MarkStore;
import io.phasewise.canary.marks.MissingMarkReason;
import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import io.phasewise.common.marks.Mark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.marks.RequestMark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Broker 1 leads partition 0 and has a clock of its own; instants are the canary's. */
class SplitterTest {
    private static final long MS = 1_000_000;
    private static final long HOUR = 3_600_000_000_000L;
    private static final String TOPIC = "kPx0";

    private final MarkStore store = new MarkStore(new OwnClients(Set.of("consumer"), Set.of("")), System::nanoTime);
    private final Map<MissingMarkReason, Integer> unmarked = new TreeMap<>();
    private final List<Breakdown> split = new ArrayList<>();
    private final List<Long> offsets = new ArrayList<>();
    private final List<Trip> undelivered = new ArrayList<>();
    private boolean fails;
    private final Splitter splitter = new Splitter(
            new PhaseEstimator(
                    Acks.ALL, Attribution.CRITICAL_PATH, new PollLog(60_000 * MS, 1_024), new BrokerClocks()),
            Optional.of(store),
            new OwnWaits("consumer", false, 0, 5_000_000_000L, (from, to) -> 0),
            (reason, leader) -> unmarked.merge(reason, 1, Integer::sum),
            List.of(this::failing, new TripReader() {
                @Override
                public void delivered(Trip trip, Breakdown breakdown) {
                    offsets.add(trip.delivery().offset());
                    split.add(breakdown);
                }

                @Override
                public void undelivered(Trip trip, Account wait) {
                    undelivered.add(trip);
                }
            }));
    private long ahead = 7 * HOUR + 123;
    private String boot = "b1";
    private long sequence;

    SplitterTest() {
        splitter.topic(TOPIC);
        page();
    }

    private void failing(Trip trip, Breakdown breakdown) {
        if (fails) {
            throw new IllegalStateException("offset " + trip.delivery().offset());
        }
    }

    /** A probe that the broker received after 3 ms and answered 4 ms before the canary knew. */
    private void probe(long t0, long offset) {
        add(t0, offset);
        splitter.turn(0);
    }

    private void add(long t0, long offset) {
        splitter.add(new Trip(
                0,
                offset,
                1,
                t0,
                Outcome.DELIVERED,
                Optional.of(SendResult.of(List.of(t0 + MS), t0 + 40 * MS, 1, List.of(), t0 + MS, 0, null)),
                Optional.of(new Delivery(t0 + 41 * MS, -1, offset, Delivery.BY_THE_LEADER, 5)),
                false));
    }

    private RecordMark record(long t0, long first, long last) {
        return record(t0, first, last, 5);
    }

    private RecordMark record(long t0, long first, long last, int epoch) {
        long there = t0 + ahead;
        return new RecordMark(
                TOPIC,
                0,
                epoch,
                first,
                last,
                there + 4 * MS,
                there + 5 * MS,
                there + 10 * MS,
                there + 30 * MS,
                Map.of(2, there + 12 * MS, 3, there + 29 * MS),
                Map.of());
    }

    private RequestMark request(long t0) {
        long there = t0 + ahead;
        return new RequestMark(
                there + 4 * MS, there + 5 * MS, there + 11 * MS, there + 31 * MS, there + 36 * MS, there + 50 * MS);
    }

    private void page(Object... marks) {
        sequence += marks.length;
        MarkPage page = new MarkPage(boot, true, sequence, 0);
        for (Object mark : marks) {
            if (mark instanceof RecordMark record) {
                page.records.add(record);
            } else {
                page.requests.add((RequestMark) mark);
            }
        }
        store.add(1, page);
    }

    private void report(Object... marks) {
        page(marks);
        splitter.turn(0);
    }

    @Test
    void aProbeIsSplitByWhatItsLeaderTells() {
        probe(0, 7);
        splitter.turn(0);
        assertThat(split).isEmpty();

        report(record(0, 7, 7), request(0));

        Breakdown marked = split.get(0);
        // The two ways took 3 and 4 ms; that they differ nobody can see.
        assertThat(marked.marked().orElseThrow().uncertaintyNanos()).isCloseTo(3_500_000, within(50_000L));
        assertThat(marked.phases().produce()).isEqualTo(MS);
        assertThat(marked.phases().publish()).isCloseTo(9 * MS + MS / 2, within(50_000L));
        assertThat(marked.phases().commit()).isEqualTo(20 * MS);
        assertThat(marked.phases().total()).isEqualTo(41 * MS);
        assertThat(marked.marked().orElseThrow().leaderInstants().arrivals().keySet())
                .containsExactly(2, 3);
        assertThat(unmarked).isEmpty();
    }

    @Test
    void allRecordsOfABatchShareItsMark() {
        probe(0, 7);
        probe(MS / 2, 8);
        report(record(0, 7, 8), request(0));

        assertThat(split).hasSize(2).allMatch(each -> each.marked().isPresent());
    }

    @Test
    void theAnswerIsWaitedForAPage() {
        probe(0, 7);
        report(record(0, 7, 7));
        assertThat(split).isEmpty();

        report();
        assertThat(split.get(0).marked().orElseThrow().leaderInstants().isAnswerKnown())
                .isFalse();
        assertThat(split.get(0).phases().commit()).isEqualTo(20 * MS);
    }

    /** A page of an agent that tells all; followers have none. */
    private void tells(Mark... marks) {
        MarkPage page = MarkPage.second(boot, true, ++sequence, 0);
        for (Mark each : marks) {
            page.add(each);
        }
        store.add(1, page);
        splitter.turn(0);
    }

    /** The consumer's fetch that was answered so long after a probe was due. */
    private RequestMark fetch(long t0, long millis) {
        long there = t0 + ahead + millis * MS;
        return new RequestMark(
                RequestMark.Api.FETCH, "consumer", 1, there - 20 * MS, there - 19 * MS, there, there, there, there);
    }

    @Test
    void theAnswerOfAProbeWhoseRecordWasToldBeforeIsWaitedForTwoPages() {
        tells(record(0, 7, 7));
        probe(0, 7);
        tells();
        assertThat(split).isEmpty();

        tells(request(0));
        assertThat(split.get(0).marked().orElseThrow().leaderInstants().isAnswerKnown())
                .isTrue();
    }

    @Test
    void theFetchThatBroughtAProbeIsWaitedForWhereFetchesAreTold() {
        probe(0, 6); // its clock is known then
        tells(record(0, 6, 6), request(0), fetch(0, 32));
        assertThat(split).hasSize(1);
        long second = 1_000 * MS;
        probe(second, 7);
        tells(record(second, 7, 7), request(second), fetch(second, 20));
        assertThat(split).hasSize(1);

        tells(fetch(second, 32));
        assertThat(split).hasSize(2);
    }

    @Test
    void whatTwoPagesHaveNotToldOfAnswersIsNotWaitedFor() {
        probe(0, 7);
        tells(record(0, 7, 7), fetch(0, 20));
        assertThat(split).isEmpty();

        tells();
        assertThat(split).hasSize(1);
    }

    @Test
    void noFetchIsWaitedForOfAnAgentThatTellsOfNone() {
        probe(0, 7);
        tells(record(0, 7, 7), request(0));

        assertThat(split).hasSize(1);
    }

    @Test
    void whatIsNotToldInTimeOrBeforeTheEndIsEstimated() {
        probe(0, 7);
        probe(1_000 * MS, 8);
        report(record(0, 9, 9), request(0));
        splitter.turn(5_000 * MS);
        assertThat(split).isEmpty();
        splitter.turn(5_100 * MS);
        assertThat(split).hasSize(1);
        splitter.finish(0);
        assertThat(split)
                .hasSize(2)
                .allMatch(each -> each.marked().isEmpty() && each.phases().total() == 41 * MS);
        assertThat(unmarked).isEqualTo(Map.of(MissingMarkReason.NO_MARK, 2));
    }

    @Test
    void aBrokerThatDoesNotAnswerIsNotWaitedFor() {
        store.of(1).silent();
        probe(0, 7);

        assertThat(split).hasSize(1);
        assertThat(unmarked).isEqualTo(Map.of(MissingMarkReason.NO_ANSWER, 1));
    }

    @Test
    void anotherLeadersTermAndAnotherTopicOfThatNameHaveOtherRecords() {
        probe(0, 7);
        report(record(0, 7, 7, 4), request(0));
        splitter.topic("other");
        probe(0, 8);
        report(record(0, 8, 8), request(0));
        assertThat(split).isEmpty();
    }

    @Test
    void aBrokerThatStartsAgainHasAnotherClock() {
        probe(0, 7);
        report(record(0, 7, 7), request(0));
        boot = "b2";
        ahead = -3 * HOUR;
        sequence = 0;
        probe(2_000 * MS, 8);
        report(record(2_000 * MS, 8, 8), request(2_000 * MS));

        assertThat(split.get(1).phases()).isEqualTo(split.get(0).phases());
    }

    /** Otherwise a probe would wait for pages that count from zero again. */
    @Test
    void pagesAreCountedAcrossStarts() {
        page();
        long before = store.of(1).pages();
        boot = "b2";
        page();

        assertThat(store.of(1).pages()).isEqualTo(before + 1);
    }

    @Test
    void aReaderThatFailsKeepsNoTripFromTheOthersAndIsToldAtTheEnd() {
        fails = true;
        add(0, 7);
        add(MS, 8);
        store.of(1).silent();
        assertThatIllegalStateException().isThrownBy(() -> splitter.turn(0)).withMessage("offset 7");
        assertThat(offsets).containsExactly(7L, 8L);

        page(record(0, 9, 10), request(0));
        add(0, 9);
        add(0, 10);
        assertThatIllegalStateException().isThrownBy(() -> splitter.turn(0)).withMessage("offset 9");
        assertThat(offsets).containsExactly(7L, 8L, 9L, 10L);
        fails = false;
        splitter.turn(0);
        assertThat(offsets).hasSize(4);
    }

    @Test
    void aTripThatDidNotComeBackIsHandedOnAsItIs() {
        Trip lost = new Trip(0, 3, 1, 0, Outcome.LOST, Optional.empty(), Optional.empty(), false);
        splitter.add(lost);
        splitter.turn(0);

        assertThat(undelivered).containsExactly(lost);
        assertThat(split).isEmpty();
    }

    @Test
    void afterTheEndNoMarkIsWaitedFor() {
        probe(0, 7);
        add(0, 8);
        splitter.finish(0);
        add(0, 9);
        splitter.turn(0);

        assertThat(offsets).containsExactlyInAnyOrder(7L, 8L, 9L);
        assertThat(unmarked).isEqualTo(Map.of(MissingMarkReason.NO_MARK, 3));
    }

    @Test
    void aTripKeepsTheTopicThatItWasClosedWith() {
        add(0, 7);
        splitter.topic("other");
        page(record(0, 7, 7), request(0));
        splitter.turn(0);

        assertThat(split.get(0).marked()).isPresent();
    }

    @Test
    void moreTripsThanMayWaitAreLeftOutAndTold() {
        store.of(1).silent();
        for (long offset = 0; offset < Splitter.MOST + 2; offset++) {
            add(0, offset);
        }

        assertThatIllegalStateException()
                .isThrownBy(() -> splitter.turn(0))
                .withMessageStartingWith("2 probes were not");
        assertThat(split).hasSize(Splitter.MOST);
        splitter.turn(0);
    }
}
