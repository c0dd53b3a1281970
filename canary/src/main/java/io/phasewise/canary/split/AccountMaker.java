/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.split;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.account.RecentWays;
import io.phasewise.canary.account.Stretch;
import io.phasewise.canary.account.Way;
import io.phasewise.canary.account.WayCut;
import io.phasewise.canary.marks.MarkStore;
import io.phasewise.canary.marks.ReportedMarks;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.LeaderInstants;
import io.phasewise.canary.phases.ProbeEstimate;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Says whose time the phases of a probe were. {@link WayCut} cuts its way into what it waited for; this class cuts the
 * same way by phases, and adds up. An instant that is charged to a phase because of a request in front ({@link
 * Timeline}) is also the time of whom that request waited for. For one thread at a time.
 */
final class AccountMaker {
    private static final Phase[] PHASES = Phase.values();

    /** Whoever was faster held up nobody for long, nanoseconds. */
    private static final long SLOW = 5_000_000;

    private final Optional<MarkStore> marks;
    private final OwnWaits own;
    private final PhaseEstimator estimator;
    private final Way way;
    private final WayCut cut = new WayCut();
    private final Account.Builder parts = new Account.Builder();

    private final RecentWays recent = new RecentWays();

    private final FollowerGaps gaps;

    /** Of the probe that is being added up: where it is, and whether it is kept. */
    private long at;

    private Phase phase;
    private boolean kept;
    private final RecentWays.Parts adder = this::add;

    AccountMaker(Optional<MarkStore> marks, OwnWaits own, PhaseEstimator estimator, FollowerGaps gaps) {
        this.marks = marks;
        this.gaps = gaps;
        this.estimator = estimator;
        this.own = own;
        this.way = new Way(own.lingerNanos(), own.stalled());
    }

    /**
     * The account of a trip that came back.
     *
     * @param topicId of its topic
     * @param leader the broker that took it
     * @param split its phases: by the leader's marks, or by the estimate
     */
    Account of(Trip trip, String topicId, int leader, ProbeEstimate estimate, Breakdown split) {
        Instants at = split.instants();
        OptionalLong ahead = split.marked().isEmpty()
                ? OptionalLong.empty()
                : reported(leader)
                        .map(reported -> reported.ahead(estimate.dispatched()))
                        .orElse(OptionalLong.empty());
        RecordMark record = ahead.isPresent() ? record(leader, topicId, trip) : null;
        long shift = record == null ? 0 : ahead.getAsLong();
        cut.begin(way(trip, leader, estimate, split, shift));
        if (record == null) {
            cut.estimated();
        } else {
            gaps.begin(leader, estimate.dispatched(), shift, record.appended, record.committed);
            for (int follower : record.arrivals.keySet()) {
                gaps.add(follower, record, trip.delivery().offset());
            }
            reported(leader).ifPresent(reported -> reported.read(times -> cut.marked(times, record, gaps.all())));
        }
        if (!fetched(estimate.dispatched(), shift)) {
            cut.fetchedUnseen();
        }
        return addUp(at, estimate, leader, shift);
    }

    /** The account of a trip of which nothing but its phases is known: all is {@link Role#UNKNOWN}. */
    static Account unknown(Breakdown split, int leader) {
        Account.Builder unknown = new Account.Builder();
        for (Phase each : PHASES) {
            unknown.add(each, leader, Role.UNKNOWN, split.phases().of(each));
        }
        return unknown.build();
    }

    private RecordMark record(int leader, String topicId, Trip trip) {
        RecordMark[] found = new RecordMark[1];
        reported(leader)
                .ifPresent(reported -> reported.read(times -> found[0] = times.record(
                                topicId, trip.partition(), trip.delivery().offset())
                        .orElse(null)));
        return found[0];
    }

    private Way way(Trip trip, int leader, ProbeEstimate estimate, Breakdown split, long shift) {
        Instants at = split.instants();
        SendResult sent = trip.sent().orElse(null);
        List<Long> dispatches = sent == null ? List.of() : sent.dispatches();
        long carried = at.t1();
        if (dispatches.size() > 1) {
            LeaderInstants there =
                    split.marked().map(Breakdown.Marked::leaderInstants).orElse(null);
            boolean known = there != null && there.isReceivedKnown();
            carried = Instants.dispatchOf(dispatches, known ? there.received() : at.t2());
        }
        Delivery back = trip.delivery();
        boolean fromLeader = back.follower() == Delivery.BY_THE_LEADER;
        boolean moved = sent != null && sent.broker() != trip.leader();
        long given = sent == null ? at.t1() : Instants.clamp(sent.handedOver(), at.t0(), at.t1());
        int reader = fromLeader ? leader : back.follower();
        return way.to(leader, estimator.restingNanos(leader, at.t5()))
                .readFrom(reader, estimator.restingNanos(reader, at.t5()))
                .dueTo(trip.leader(), moved ? formerRole(trip.leader(), at.t0(), carried) : Role.CLIENT)
                .by(shift)
                .out(at.t0(), given, unseenLaneNanos(sent, estimate.waits()), at.t1(), carried)
                .back(at.t2(), at.t3(), at.t4(), at.t5());
    }

    /** How long it waited for a lane without anybody in front to whose phases that is charged. */
    private static long unseenLaneNanos(SendResult sent, List<Wait> charged) {
        if (sent == null || sent.waitedNanos() == 0) {
            return 0;
        }
        long seen = 0;
        for (Wait each : charged) {
            seen += each.nanos();
        }
        return Math.max(0, sent.waitedNanos() - seen);
    }

    private Optional<ReportedMarks> reported(int broker) {
        return marks.flatMap(store -> store.find(broker));
    }

    /**
     * Why it was not taken by the broker that led when it was due: paused or gone, or led no longer. That its agent does
     * not answer proves nothing by itself: it may be out of reach, and it may never have been there.
     */
    private Role formerRole(int former, long from, long to) {
        ReportedMarks reported = reported(former).orElse(null);
        if (reported == null) {
            return Role.UNKNOWN;
        }
        if (reported.hasRestartedAfter(from)) {
            return Role.PROCESS;
        }
        if (!marks.get().reportsMarks(former)) {
            return new MissedFetches(marks.get()).isGone(former, to) ? Role.PROCESS : Role.UNKNOWN;
        }
        OptionalLong ahead = reported.ahead(from);
        if (ahead.isEmpty()) {
            return Role.UNKNOWN;
        }
        boolean[] paused = new boolean[1];
        reported.read(times -> paused[0] = times.isPausedWithin(from + ahead.getAsLong(), to + ahead.getAsLong()));
        return paused[0] ? Role.PROCESS : Role.CONTROLLER;
    }

    private boolean fetched(long at, long shift) {
        ReportedMarks from = reported(way.fetchedFrom()).orElse(null);
        if (from == null) {
            return false;
        }
        boolean fromLeader = way.fetchedFrom() == way.leader();
        OptionalLong ahead = from.ahead(at);
        if (ahead.isEmpty()) {
            return false;
        }
        Role held = own.awaitsMore() ? Role.CLIENT : fromLeader ? Role.HANDLERS : Role.FOLLOWER;
        boolean[] found = new boolean[1];
        from.read(times -> found[0] = cut.fetched(times, own.consumer(), held, ahead.getAsLong() - shift));
        return found[0];
    }

    private Account addUp(Instants instants, ProbeEstimate estimate, int leader, long shift) {
        Stretch way = cut.way();
        List<Wait> waits = estimate.waits();
        parts.empty();
        Timeline line = waits.isEmpty() ? null : estimate.timeline(instants);
        kept = instants.t5() - instants.t0() >= SLOW;
        at = instants.t0();
        if (kept) {
            recent.begin(leader, at);
        }
        int piece = 0;
        int segments = line == null ? PHASES.length : line.segments();
        for (int segment = 0; segment < segments; segment++) {
            phase = line == null ? PHASES[segment] : line.phase(segment);
            long end = line == null ? end(instants, segment) : line.end(segment);
            while (at - end < 0) {
                while (way.end(piece) - shift - at <= 0) {
                    piece++;
                }
                long to = Instants.earlier(way.end(piece) - shift, end);
                Wait behind = waits.isEmpty() ? null : waitAt(waits, instants.t2());
                if (behind != null) {
                    recent.between(
                            leader,
                            at,
                            Instants.earlier(Instants.earlier(behind.until(), instants.t2()), end),
                            phase,
                            adder);
                } else {
                    add(waits.isEmpty() ? to : untilWait(waits, to), way.broker(piece), way.role(piece));
                }
            }
        }
        return parts.build();
    }

    private static long end(Instants instants, int phase) {
        return switch (PHASES[phase]) {
            case PRODUCE -> instants.t1();
            case PUBLISH -> instants.t2();
            case COMMIT -> instants.t3();
            case CATCH_UP -> instants.t4();
            case FETCH -> instants.t5();
        };
    }

    /** What it waits behind at this moment; null for nothing. */
    private Wait waitAt(List<Wait> waits, long appended) {
        for (Wait each : waits) {
            if (each.from() - at <= 0 && each.until() - at > 0 && appended - at > 0) {
                return each;
            }
        }
        return null;
    }

    private long untilWait(List<Wait> waits, long to) {
        long until = to;
        for (Wait each : waits) {
            if (each.from() - at > 0) {
                until = Instants.earlier(until, each.from());
            }
        }
        return until;
    }

    /** Adds what the probe waited for until an instant. */
    private void add(long until, int broker, Role role) {
        parts.add(phase, broker, role, until - at);
        if (kept) {
            recent.add(until, phase, broker, role);
        }
        at = until;
    }
}
