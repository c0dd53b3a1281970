/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.split;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.account.Gaps;
import io.phasewise.canary.account.Stretch;
import io.phasewise.canary.account.Way;
import io.phasewise.canary.account.WayCut;
import io.phasewise.canary.marks.MarkStore;
import io.phasewise.canary.marks.ReportedMarks;
import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.trip.OpenProbe;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.common.marks.BatchMark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PendingMark;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ObjIntConsumer;

/**
 * Says whose time the age of a probe was that has not come back: as far as its leader had told when it made its last
 * page of marks. All else is unknown: that a page does not come proves nothing. Where other brokers miss the leader's
 * fetches, too, it is gone ({@link MissedFetches}), and probes wait for it. For one thread at a time.
 *
 * <p>Where a record lies is known once it is acknowledged. Before that the probes of a partition are taken for the
 * batches that are pending there, in order: a batch is a probe's if it was received within {@link #SOON} after a
 * producer had the probe.
 */
final class OpenAccounts {
    private static final Phase[] PHASES = Phase.values();

    /** Whoever got a lane within this did not wait for one. */
    private static final long PROMPT = 10_000_000;

    /** A batch that came later after a producer had a probe is taken for somebody else's. */
    private static final long SOON = 100_000_000;

    private static final long SECOND = 1_000_000_000;

    /** How far the estimate of a broker's clock may be off for this. */
    private static final long SLACK = 1_000_000;

    private final Optional<MarkStore> marks;
    private final PhaseEstimator estimator;
    private final FollowerGaps gaps;
    private final Way way;
    private final WayCut cut = new WayCut();
    private final Account.Builder parts = new Account.Builder();

    /**
     * By broker that answered earlier and does not now: when it last asked another broker for records, or made a page,
     * on the canary's clock.
     */
    private final Map<Integer, Long> unheard = new HashMap<>();

    /** Those of them whose fetches other brokers miss. */
    private final Set<Integer> gone = new HashSet<>();

    private boolean looked;
    private long lookedAt;

    OpenAccounts(Optional<MarkStore> marks, OwnWaits own, PhaseEstimator estimator, FollowerGaps gaps) {
        this.marks = marks;
        this.gaps = gaps;
        this.way = new Way(own.lingerNanos(), own.stalled());
        this.estimator = estimator;
    }

    /**
     * Makes the account of each probe so far.
     *
     * @param topicId of their topic; empty where that is not known
     * @param now monotonic nanoseconds, not before one of them was due
     * @param to takes them, with the leader that the probe belongs to
     */
    void each(List<OpenProbe> open, String topicId, long now, ObjIntConsumer<Account> to) {
        looked = false;
        look(now);
        Map<Integer, List<OpenProbe>> byPartition = new TreeMap<>();
        open.forEach(probe -> byPartition
                .computeIfAbsent(probe.partition(), number -> new ArrayList<>())
                .add(probe));
        byPartition.values().forEach(probes -> {
            probes.sort(Comparator.comparingLong(probe -> handedOver(probe, now) - now));
            Map<OpenProbe, PendingMark> found = match(probes, topicId);
            probes.forEach(probe -> to.accept(of(probe, topicId, found.get(probe), now), probe.leader()));
        });
    }

    /**
     * The account of a probe that ended without having come back.
     *
     * @param topicId of its topic
     * @param until when it ends
     * @param now monotonic nanoseconds
     */
    Account undelivered(OpenProbe probe, String topicId, long until, long now) {
        look(now);
        return of(probe, topicId, match(List.of(probe), topicId).get(probe), until);
    }

    /** The account of a probe of which nothing is known but when a producer had it. */
    static Account unknown(OpenProbe probe, long until) {
        long handedOver = handedOver(probe, until);
        return new Account.Builder()
                .add(Phase.PRODUCE, probe.broker(), Role.UNKNOWN, handedOver - probe.dueNanos())
                .add(Phase.PUBLISH, probe.broker(), Role.UNKNOWN, until - handedOver)
                .build();
    }

    private static long handedOver(OpenProbe probe, long until) {
        return probe.isHandedOver()
                ? Instants.earlier(Instants.later(probe.handedOver(), probe.dueNanos()), until)
                : until;
    }

    /** Who is silent, and since when: again after a second. */
    private void look(long now) {
        if (marks.isEmpty() || looked && now - lookedAt < SECOND) {
            return;
        }
        looked = true;
        lookedAt = now;
        unheard.clear();
        gone.clear();
        Set<Integer> silent = new HashSet<>(marks.get().brokers());
        silent.removeIf(
                broker -> !reported(broker).map(ReportedMarks::hasFallenSilent).orElse(false));
        if (silent.isEmpty()) {
            return;
        }
        for (int broker : marks.get().brokers()) {
            reported(broker)
                    .ifPresent(reported -> reported.ahead(now)
                            .ifPresent(ahead -> reported.read(times -> {
                                times.lastFetches().forEach((follower, at) -> hear(silent, follower, at - ahead));
                                if (times.made() != MarkPage.UNKNOWN) {
                                    hear(silent, broker, times.made() - ahead);
                                }
                            })));
        }
        MissedFetches missed = new MissedFetches(marks.get());
        silent.stream().filter(broker -> missed.isGone(broker, now)).forEach(gone::add);
    }

    /**
     * Since when a probe waits for its leader that is gone: since nobody has heard of it. Empty where it is not, and where
     * another broker has taken records of the partition since: the probe may wait for that one.
     */
    private OptionalLong goneSince(int leader, String topicId, int partition) {
        Long since = gone.contains(leader) ? unheard.get(leader) : null;
        if (since == null) {
            return OptionalLong.empty();
        }
        for (int other : marks.get().brokers()) {
            boolean[] leads = new boolean[1];
            reported(other)
                    .filter(reported -> other != leader)
                    .ifPresent(reported -> reported.ahead(since)
                            .ifPresent(ahead -> reported.read(
                                    times -> leads[0] = times.hasAppendedAfter(topicId, partition, since + ahead))));
            if (leads[0]) {
                return OptionalLong.empty();
            }
        }
        return OptionalLong.of(since);
    }

    private void hear(Set<Integer> silent, int broker, long at) {
        if (silent.contains(broker)) {
            unheard.merge(broker, at, Instants::later);
        }
    }

    /** The pending batches of probes of one partition that are not acknowledged. */
    private Map<OpenProbe, PendingMark> match(List<OpenProbe> probes, String topicId) {
        Map<OpenProbe, PendingMark> found = new IdentityHashMap<>();
        Map<Integer, Pending> pending = new HashMap<>();
        for (OpenProbe probe : probes) {
            Optional<ReportedMarks> reported = reported(probe.broker());
            if (reported.isEmpty() || !probe.isHandedOver() || probe.offset() != SendResult.NO_OFFSET) {
                continue;
            }
            OptionalLong ahead = reported.get().ahead(probe.handedOver());
            if (ahead.isPresent()) {
                pending.computeIfAbsent(probe.broker(), id -> new Pending(reported.get(), topicId, probe.partition()))
                        .next(probe.handedOver() + ahead.getAsLong())
                        .ifPresent(mark -> found.put(probe, mark));
            }
        }
        return found;
    }

    private Optional<ReportedMarks> reported(int broker) {
        return marks.flatMap(store -> store.find(broker));
    }

    /** The pending batches of a partition, which probes take one after the other. */
    private static final class Pending {
        private final List<PendingMark> batches = new ArrayList<>();
        private int at;
        private long taken;

        Pending(ReportedMarks reported, String topicId, int partition) {
            reported.read(times -> batches.addAll(times.pending(topicId, partition)));
            batches.removeIf(each -> each.received == MarkPage.UNKNOWN);
            batches.sort((one, other) -> Long.compare(one.received - other.received, 0));
        }

        /** The first one with room that was received soon after an instant; instants ascend. */
        Optional<PendingMark> next(long handedOver) {
            while (at < batches.size() && (isFull() || batches.get(at).received - handedOver < -SLACK)) {
                at++;
                taken = 0;
            }
            if (at == batches.size() || batches.get(at).received - handedOver > SOON) {
                return Optional.empty();
            }
            taken++;
            return Optional.of(batches.get(at));
        }

        /** How many records a batch has that is being appended is not known. */
        private boolean isFull() {
            PendingMark batch = batches.get(at);
            return batch.lastOffset != MarkPage.UNKNOWN && taken > batch.lastOffset - batch.firstOffset;
        }
    }

    /** What a leader has reported of a probe; at most one of the two is there. */
    private record Reported(RecordMark record, PendingMark pending) {
        static final Reported NOTHING = new Reported(null, null);
    }

    private Reported reported(OpenProbe probe, int leader, String topicId, PendingMark matched) {
        long offset = probe.offset();
        if (offset == SendResult.NO_OFFSET) {
            return new Reported(null, matched);
        }
        Reported[] found = {Reported.NOTHING};
        reported(leader)
                .ifPresent(reported -> reported.read(times -> {
                    RecordMark record =
                            times.record(topicId, probe.partition(), offset).orElse(null);
                    PendingMark pending = record != null
                            ? null
                            : times.pending(topicId, probe.partition()).stream()
                                    .filter(each -> each.lastOffset != MarkPage.UNKNOWN
                                            && each.firstOffset <= offset
                                            && offset <= each.lastOffset)
                                    .findFirst()
                                    .orElse(null);
                    found[0] = new Reported(record, pending);
                }));
        return found[0];
    }

    private Account of(OpenProbe probe, String topicId, PendingMark matched, long until) {
        SendResult sent = probe.sent().orElse(null);
        int leader = probe.broker();
        long due = probe.dueNanos();
        long handedOver = handedOver(probe, until);
        List<Long> dispatches = sent == null ? List.of() : sent.dispatches();
        long t1 = dispatches.isEmpty() ? handedOver : Instants.clamp(dispatches.get(0), handedOver, until);
        OptionalLong ahead = reported(leader).map(each -> each.ahead(t1)).orElse(OptionalLong.empty());
        Reported there = ahead.isPresent() ? reported(probe, leader, topicId, matched) : Reported.NOTHING;
        long shift = there == Reported.NOTHING ? 0 : ahead.getAsLong();
        long t2 = Instants.clamp(appended(there, shift, sent, until), t1, until);
        long t3 = Instants.clamp(committed(there, shift, sent, until), t2, until);
        long carried = dispatches.isEmpty() ? t1 : Instants.clamp(dispatches.get(dispatches.size() - 1), t1, t2);
        cut.begin(way.to(leader, t1 - estimator.answered(leader, t1))
                .readFrom(leader, 0)
                .dueTo(probe.leader(), leader == probe.leader() ? Role.CLIENT : Role.UNKNOWN)
                .by(shift)
                .out(due, handedOver, handedOver - due > PROMPT ? handedOver - due : 0, t1, carried)
                .back(t2, t3, t3, until));
        if (there.record != null) {
            committed(there.record, leader, t1, shift);
        } else if (there.pending != null) {
            pending(there.pending, leader, t1, shift);
        }
        boolean waits = there.record == null && leader == probe.leader() && (sent == null || !sent.isAcknowledged());
        OptionalLong gone = waits ? goneSince(leader, topicId, probe.partition()) : OptionalLong.empty();
        if (gone.isPresent()) {
            cut.goneSoFar(gone.getAsLong() + shift);
        }
        cut.openSoFar();
        return addUp(due, new long[] {t1, t2, t3, t3, until}, shift);
    }

    private void committed(RecordMark record, int leader, long at, long shift) {
        Map<Integer, BatchMark> brought = new TreeMap<>();
        record.arrivals.keySet().forEach(follower -> brought.put(follower, record));
        gaps.begin(leader, at, shift, record.appended, record.committed);
        Map<Integer, Gaps> told = told(brought);
        reported(leader).ifPresent(reported -> reported.read(times -> cut.committedSoFar(times, record, told)));
    }

    private void pending(PendingMark pending, int leader, long at, long shift) {
        Map<Integer, Long> unheardThere = new HashMap<>();
        unheard.forEach((broker, instant) -> unheardThere.put(broker, instant + shift));
        Map<Integer, BatchMark> acknowledged = new TreeMap<>();
        long[] made = new long[1];
        reported(leader)
                .ifPresent(reported -> reported.read(times -> {
                    acknowledged.putAll(times.acknowledged(pending));
                    made[0] = times.made();
                }));
        gaps.begin(leader, at, shift, pending.appendBegan, made[0]);
        Map<Integer, Gaps> told = told(acknowledged);
        reported(leader)
                .ifPresent(reported ->
                        reported.read(times -> cut.pendingSoFar(times, pending, acknowledged, told, unheardThere)));
    }

    private Map<Integer, Gaps> told(Map<Integer, BatchMark> brought) {
        Map<Integer, Gaps> told = new HashMap<>();
        brought.forEach((follower, batch) -> told.put(follower, gaps.add(follower, batch, batch.lastOffset)));
        return told;
    }

    /** When it was appended as far as that is known; otherwise it is taken not to be, unless it is acknowledged. */
    private static long appended(Reported there, long shift, SendResult sent, long until) {
        if (there.record != null) {
            return there.record.appended - shift;
        }
        if (there.pending != null && there.pending.appended != MarkPage.UNKNOWN) {
            return there.pending.appended - shift;
        }
        return sent != null && sent.isAcknowledged() ? sent.acknowledged() : until;
    }

    private long committed(Reported there, long shift, SendResult sent, long until) {
        if (there.record != null) {
            return there.record.committed - shift;
        }
        boolean proves = sent != null && sent.isAcknowledged() && estimator.acks() == Acks.ALL;
        return proves ? sent.acknowledged() : until;
    }

    /**
     * @param ends of the phases
     */
    private Account addUp(long due, long[] ends, long shift) {
        Stretch way = cut.way();
        parts.empty();
        long at = due;
        int piece = 0;
        for (Phase phase : PHASES) {
            long end = ends[phase.ordinal()];
            while (at - end < 0) {
                while (way.end(piece) - shift - at <= 0) {
                    piece++;
                }
                long to = Instants.earlier(way.end(piece) - shift, end);
                parts.add(phase, way.broker(piece), way.role(piece), to - at);
                at = to;
            }
        }
        return parts.build();
    }
}
