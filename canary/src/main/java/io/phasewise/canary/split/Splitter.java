/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.split;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.marks.MarkStore;
import io.phasewise.canary.marks.MissingMarkReason;
import io.phasewise.canary.marks.ReportedMarks;
import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.LeaderInstants;
import io.phasewise.canary.phases.ProbeEstimate;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.OpenProbe;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;

/**
 * Takes the trips of one profile, splits those that came back into phases, and hands each on to the
 * readers: by what their leaders report of them, as soon as they do, and by the estimate where they
 * do not in time.
 *
 * <p>Trips are put in by any thread. They are split, and readers called, by the thread that calls
 * {@link #turn}. A reader that fails keeps a trip from no other reader, and no other trip from any.
 */
public final class Splitter {
    /**
     * How long after its delivery a trip waits for its marks. One that is closed later than that does not wait: it is
     * split by its marks where they have come already, otherwise by the estimate. Its followers' marks are waited for
     * when its leader's are there: for two pages of each, within the same time.
     */
    private static final Duration MARK_PATIENCE = Duration.ofSeconds(5);

    /** A follower's mark is in the next page that it makes, and that may have been made already. */
    private static final long FOLLOWER_PAGES = 2;

    /**
     * The leader tells of an answer when its last byte is sent, which a busy network thread may do long after the
     * commit: what carried a probe, and what brought it, is told in the second page after it came back at the latest.
     */
    private static final long LEADER_PAGES = 2;

    /** Trips that may wait for a turn, of some 300 bytes each: six seconds of 10,000 probes a second. */
    static final int MOST = 1 << 16;

    private final PhaseEstimator estimator;

    /** Empty where brokers are not asked for marks. */
    private final Optional<MarkStore> marks;

    private final AccountMaker accounts;
    private final OpenAccounts openAccounts;
    private final OwnWaits own;
    private final ObjIntConsumer<MissingMarkReason> unmarked;
    private final List<TripReader> readers;
    private final BlockingQueue<Closed> closed = new LinkedBlockingQueue<>(MOST);
    private final AtomicLong leftOut = new AtomicLong();
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private volatile String topicId = "";
    private long seenPages;
    private boolean finished;

    /** A trip, and the topic that probes were sent to when it was closed. */
    private record Closed(Trip trip, String topicId) {}

    /** A trip that waits for what its leader and its followers report. */
    private static final class Waiting {
        private final Trip trip;
        private final String topicId;
        private final int leader;
        private final ProbeEstimate estimate;

        /** How many pages its leader had reported when it came back. */
        private final long leaderPages;

        /** Null until its leader has reported it. */
        private LeaderInstants there;

        /** Of each follower in the order of their arrivals: how many pages it had reported then. */
        private long[] pages;

        Waiting(Trip trip, String topicId, int leader, ProbeEstimate estimate, long leaderPages) {
            this.trip = trip;
            this.topicId = topicId;
            this.leader = leader;
            this.estimate = estimate;
            this.leaderPages = leaderPages;
        }
    }

    /**
     * @param estimator sees each trip that came back, whoever reports it
     * @param marks what brokers reported; empty where they are not asked
     * @param own what the canary's own clients wait for
     * @param unmarked counts a probe that has to do with the estimate, by its leader
     * @param readers each sees every trip
     */
    public Splitter(
            PhaseEstimator estimator,
            Optional<MarkStore> marks,
            OwnWaits own,
            ObjIntConsumer<MissingMarkReason> unmarked,
            List<TripReader> readers) {
        this.estimator = estimator;
        this.marks = marks;
        FollowerGaps gaps = new FollowerGaps(marks);
        this.accounts = new AccountMaker(marks, own, estimator, gaps);
        this.openAccounts = new OpenAccounts(marks, own, estimator, gaps);
        this.own = own;
        this.unmarked = unmarked;
        this.readers = List.copyOf(readers);
    }

    /** Takes a trip; never waits. */
    public void add(Trip trip) {
        if (!closed.offer(new Closed(trip, topicId))) {
            leftOut.incrementAndGet();
        }
    }

    /** Whether a broker reports marks of probes at present. */
    public boolean reportsMarks(int broker) {
        return marks.isPresent() && marks.get().reportsMarks(broker);
    }

    /** Sets the id of the topic that probes are sent to; empty while it is not known. */
    public void topic(String id) {
        topicId = id;
    }

    /**
     * Splits what can be split now; call it several times a second.
     *
     * @param now monotonic nanoseconds
     * @throws RuntimeException what a reader threw, the first one, when all is done; or that trips
     *     were left out since the last turn, as too many waited
     */
    public synchronized void turn(long now) {
        Faults faults = new Faults();
        List<Waiting> taken = new ArrayList<>();
        for (int more = closed.size(); more > 0; more--) {
            try {
                take(closed.remove(), now, taken, faults);
            } catch (RuntimeException e) {
                faults.add(e);
            }
        }
        splitMarked(taken, faults);
        splitRest(each -> now - each.trip.delivery().atNanos() > MARK_PATIENCE.toNanos(), faults);
        long lost = leftOut.getAndSet(0);
        if (lost > 0) {
            faults.add(new IllegalStateException(
                    lost + " probes were not split into phases: more than " + MOST + " waited"));
        }
        faults.rethrow();
    }

    /** Splits all that is left, and waits for no marks any more: brokers are asked no more. */
    public synchronized void finish(long now) {
        finished = true;
        try {
            turn(now);
        } finally {
            Faults faults = new Faults();
            splitRest(each -> true, faults);
            faults.rethrow();
        }
    }

    /** A trip that waits for its marks is added to {@code taken}; any other is split, if it came back, and handed on. */
    private void take(Closed next, long now, List<Waiting> taken, Faults faults) {
        Trip trip = next.trip;
        if (trip.back().isEmpty()) {
            Account wait = undelivered(trip, next.topicId, now, faults);
            readers.forEach(reader -> faults.caught(() -> reader.undelivered(trip, wait)));
            return;
        }
        ProbeEstimate estimate = estimator.estimate(trip);
        int leader = trip.sent().map(SendResult::broker).orElse(trip.leader());
        if (reportsMarks(leader) && !finished) {
            long pages = reported(leader).map(ReportedMarks::pages).orElse(0L);
            taken.add(new Waiting(trip, next.topicId, leader, estimate, pages));
            return;
        }
        if (marks.isPresent()) {
            unmarked.accept(finished ? MissingMarkReason.NO_MARK : MissingMarkReason.NO_ANSWER, leader);
        }
        handOn(trip, next.topicId, leader, estimate, estimate.estimated(), faults);
    }

    /** Whose time it was until the deadline of a probe that did not come back. */
    private Account undelivered(Trip trip, String topic, long now, Faults faults) {
        OpenProbe probe = OpenProbe.of(trip);
        long until = trip.dueNanos() + own.deadlineNanos();
        try {
            return openAccounts.undelivered(probe, topic, until, now);
        } catch (RuntimeException e) {
            faults.add(e);
            return OpenAccounts.unknown(probe, until);
        }
    }

    /**
     * Says of probes that have not come back whose time it was so far. They are no trips yet: each has its own account
     * when it has ended.
     *
     * @param now monotonic nanoseconds
     * @param to takes each one's, whose sum is its age, with the broker that the probe belongs to
     */
    public synchronized void open(List<OpenProbe> open, long now, ObjIntConsumer<Account> to) {
        openAccounts.each(open, topicId, now, to);
    }

    /** Of those that waited already only where a page of marks has come since. */
    private void splitMarked(List<Waiting> taken, Faults faults) {
        List<Waiting> found = new ArrayList<>();
        long pages = marks.map(MarkStore::pages).orElse(0L);
        if (pages != seenPages) {
            seenPages = pages;
            waiting.removeIf(each -> isReported(each) && found.add(each));
        }
        taken.removeIf(each -> isReported(each) && found.add(each));
        waiting.addAll(taken);
        split(found, faults);
    }

    private void split(List<Waiting> found, Faults faults) {
        // All clocks learn first: an instant is the more accurate the more is known.
        for (Waiting each : found) {
            try {
                marks(each).ifPresent(reported -> reported.learn(each.estimate, each.there));
            } catch (RuntimeException e) {
                faults.add(e);
            }
        }
        for (Waiting each : found) {
            try {
                Optional<Breakdown> breakdown =
                        marks(each).flatMap(reported -> reported.marked(each.estimate, each.there));
                if (breakdown.isPresent()) {
                    handOn(each, breakdown.get(), faults);
                } else {
                    splitUnmarked(each, faults);
                }
            } catch (RuntimeException e) {
                faults.add(e);
            }
        }
    }

    private boolean isReported(Waiting each) {
        if (each.there == null && !isReportedByLeader(each, false)) {
            return false;
        }
        if (!marks(each).map(ReportedMarks::reportsAll).orElse(false)) {
            return true; // what its followers did could not be put beside anything
        }
        if (each.pages == null) {
            each.pages = new long[each.there.arrivals().size()];
            int index = 0;
            for (int follower : each.there.arrivals().keySet()) {
                each.pages[index++] =
                        reported(follower).map(ReportedMarks::pages).orElse(0L);
            }
        }
        return isReportedByFollowers(each) && areAnswersReported(each);
    }

    /** Whether the leader has told of the request that carried it and of the fetch that brought it, or will not. */
    private boolean areAnswersReported(Waiting each) {
        ReportedMarks leader = marks(each).orElse(null);
        if (leader == null || !reportsMarks(each.leader)) {
            return true;
        }
        boolean isOver = leader.pages() - each.leaderPages >= LEADER_PAGES;
        if (!each.there.isAnswerKnown() && each.estimate.isAnswered() && each.estimate.acks() != Acks.NONE) {
            LeaderInstants before = each.there;
            if (!isReportedByLeader(each, false)) {
                each.there = before; // it has started again since
                return true;
            }
            if (!each.there.isAnswerKnown()) {
                return isOver;
            }
        }
        Delivery back = each.trip.delivery();
        return isOver
                || back.follower() != Delivery.BY_THE_LEADER
                || leader.hasFetched(own.consumer(), each.there.committed(), back.atNanos());
    }

    private boolean isReportedByLeader(Waiting each, boolean last) {
        Delivery back = each.trip.delivery();
        each.there = marks(each)
                .flatMap(reported ->
                        reported.leaderInstants(each.topicId, each.trip.partition(), back.offset(), back.epoch(), last))
                .orElse(null);
        return each.there != null;
    }

    private boolean isReportedByFollowers(Waiting each) {
        int index = 0;
        for (int follower : each.there.arrivals().keySet()) {
            ReportedMarks reported = reported(follower).orElse(null);
            long before = each.pages[index++];
            boolean awaits = reported != null && reported.pages() - before < FOLLOWER_PAGES;
            if (awaits
                    && reported.isAwaited(
                            each.topicId,
                            each.trip.partition(),
                            each.trip.delivery().offset(),
                            each.leader)) {
                return false;
            }
        }
        return true;
    }

    private Optional<ReportedMarks> reported(int broker) {
        return marks.orElseThrow().find(broker);
    }

    /** Empty where its leader has left the cluster since. */
    private Optional<ReportedMarks> marks(Waiting of) {
        return reported(of.leader);
    }

    /** Without waiting any longer: by what the leader has reported, and otherwise by the estimate. */
    private void splitRest(Predicate<Waiting> which, Faults faults) {
        List<Waiting> over = new ArrayList<>();
        waiting.removeIf(each -> which.test(each) && over.add(each));
        List<Waiting> found = new ArrayList<>();
        over.removeIf(each -> (each.there != null || isReportedByLeader(each, true)) && found.add(each));
        split(found, faults);
        over.forEach(each -> faults.caught(() -> splitUnmarked(each, faults)));
    }

    private void splitUnmarked(Waiting each, Faults faults) {
        unmarked.accept(MissingMarkReason.NO_MARK, each.leader);
        handOn(each, each.estimate.estimated(), faults);
    }

    private void handOn(Waiting each, Breakdown phases, Faults faults) {
        handOn(each.trip, each.topicId, each.leader, each.estimate, phases, faults);
    }

    private void handOn(
            Trip trip, String topicId, int leader, ProbeEstimate estimate, Breakdown phases, Faults faults) {
        Account account;
        try {
            account = accounts.of(trip, topicId, leader, estimate, phases);
        } catch (RuntimeException e) {
            faults.add(e);
            account = AccountMaker.unknown(phases, leader); // the probe counts all the same
        }
        Breakdown breakdown = phases.with(account);
        // For every probe: a loop makes no garbage.
        for (TripReader reader : readers) {
            try {
                reader.delivered(trip, breakdown);
            } catch (RuntimeException e) {
                faults.add(e);
            }
        }
    }

    /** Faults of one turn: the other probes are split all the same, and the first fault is thrown at the end. */
    private static final class Faults {
        private RuntimeException first;

        void caught(Runnable work) {
            try {
                work.run();
            } catch (RuntimeException e) {
                add(e);
            }
        }

        void add(RuntimeException fault) {
            first = first == null ? fault : first;
        }

        void rethrow() {
            if (first != null) {
                throw first;
            }
        }
    }
}
