/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.ledger;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.LongBinaryOperator;

/**
 * Keeps account of every scheduled probe of one cluster and profile until its outcome is known, and
 * says what became of it; sending, receiving and waiting are left to its callers, who bring all
 * instants with them.
 *
 * <p>Invariants, at every instant and for every leader:
 *
 * <ul>
 *   <li>scheduled = delivered + late + lost + send_failed + in flight;
 *   <li>every scheduled probe gets at most one SLO verdict, and has it once it has ended;
 *   <li>a bad verdict is the canary's own when the time until then, less what the canary's process
 *       stood still of it, is within the target. It is decided with the verdict: at the deadline a
 *       probe that is still under way is judged by its time so far. A failed send never is;
 *   <li>every latency observed end to end is split into phases exactly once, at the latest {@link
 *       #PATIENCE} later;
 *   <li>an outcome, once given, never changes: a probe that turns up after it was written off
 *       counts as resurfaced, and its latency is still observed (no survivorship);
 *   <li>a probe is out of order when it lies at a lower offset of its partition than another one
 *       that had been acknowledged before it was scheduled. Probes on different lanes may overtake
 *       each other; that one may not be overtaken, unless the log lost what it had acknowledged.
 *       Where probes come back from another log than they were sent to, offsets say nothing of
 *       that, and none is.
 * </ul>
 *
 * <p>A probe belongs to the broker that led its partition when it was scheduled, whoever leads it
 * later.
 *
 * <p>Thread-safe. One lock guards everything: at 10,000 probes a second it is held for about one
 * per cent of the time.
 */
public final class Ledger {
    /** How long after its delivery a probe's phases wait for its acknowledgement. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private final long deadlineNanos;
    private final long lossHorizonNanos;
    private final long targetNanos;
    private final IntFunction<LatencyRecorder> recorders;
    private final Breakdowns breakdowns;
    private final ProbeWitness witness;
    private final boolean sameLog;
    private final LongBinaryOperator stalledNanos;

    /** Observed end to end while the way out had not told yet, in that order. */
    private final Deque<Probe> unsettled = new ArrayDeque<>();

    private final Map<Integer, PartitionBook> books = new HashMap<>();
    private final Map<Integer, LeaderAccount> accounts = new TreeMap<>();
    private int inFlight;

    /**
     * @param target delivered within this is good
     * @param deadline delivered after this is late; not shorter than the target
     * @param lossHorizon not delivered within this is lost; not shorter than the deadline
     * @param recorders gives each broker id its recorder; asked once per broker
     * @param breakdowns splits each observed latency into phases
     * @param witness sees each probe once it is known in full
     * @param sameLog whether probes come back from the log that they were sent to
     * @param stalledNanos how long the canary's own process stood still between two instants,
     *     nanoseconds; called with the lock held, for bad probes only
     */
    public Ledger(
            Duration target,
            Duration deadline,
            Duration lossHorizon,
            IntFunction<LatencyRecorder> recorders,
            Breakdowns breakdowns,
            ProbeWitness witness,
            boolean sameLog,
            LongBinaryOperator stalledNanos) {
        if (target.compareTo(deadline) > 0 || deadline.compareTo(lossHorizon) > 0) {
            throw new IllegalArgumentException(
                    "not target <= deadline <= loss horizon: "
                            + target
                            + ", "
                            + deadline
                            + ", "
                            + lossHorizon);
        }
        this.targetNanos = target.toNanos();
        this.deadlineNanos = deadline.toNanos();
        this.lossHorizonNanos = lossHorizon.toNanos();
        this.recorders = recorders;
        this.breakdowns = breakdowns;
        this.witness = witness;
        this.sameLog = sameLog;
        this.stalledNanos = stalledNanos;
    }

    /**
     * Of probes that come back from the log that they were sent to, to a canary that never stalls.
     */
    public Ledger(
            Duration target,
            Duration deadline,
            Duration lossHorizon,
            IntFunction<LatencyRecorder> recorders,
            Breakdowns breakdowns,
            ProbeWitness witness) {
        this(target, deadline, lossHorizon, recorders, breakdowns, witness, true, (from, to) -> 0);
    }

    /**
     * Opens a broker's account, so that its counts exist, at zero, before its first probe.
     *
     * @param leader broker id
     */
    public synchronized void open(int leader) {
        account(leader);
    }

    /**
     * Says who leads a partition; the partition's next probes belong to that broker.
     *
     * @param partition the partition
     * @param leader broker id
     */
    public synchronized void lead(int partition, int leader) {
        books.computeIfAbsent(partition, p -> new PartitionBook()).leader = account(leader);
    }

    /**
     * Enters a probe that is due.
     *
     * @param partition a partition whose leader is known
     * @param dueNanos when it was due; not before the partition's last one
     * @throws IllegalStateException when nobody leads the partition
     */
    public synchronized Probe scheduled(int partition, long dueNanos) {
        PartitionBook book = books.get(partition);
        if (book == null) {
            throw new IllegalStateException("partition " + partition + " has no leader yet");
        }
        Probe probe = book.add(partition, dueNanos);
        probe.leader.scheduled++;
        probe.leader.inFlight++;
        inFlight++;
        return probe;
    }

    /**
     * Notes that the leader acknowledged a probe. The probe stays in flight: only the consumer can
     * tell that it arrived.
     *
     * @param probe the probe
     * @param acknowledgedNanos when the acknowledgement came
     */
    public void acknowledged(Probe probe, long acknowledgedNanos) {
        probe.leader.recorder.producer(acknowledgedNanos - probe.dueNanos);
    }

    /**
     * Notes that the producer gave a probe up. One that has been delivered all the same (only its
     * acknowledgement got lost) stays delivered.
     *
     * @param probe the probe
     */
    public synchronized void sendFailed(Probe probe) {
        if (probe.outcome == null) {
            judge(probe, false, false);
            end(probe, Outcome.SEND_FAILED);
            witness.unseen(probe, Outcome.SEND_FAILED, probe.sending);
        }
    }

    /**
     * Takes what the way out tells of a probe, acknowledged or failed; only the first telling
     * counts.
     *
     * @param probe the probe
     * @param sending what is known of its requests
     */
    public void settled(Probe probe, Sending sending) {
        synchronized (this) {
            PartitionBook book = books.get(probe.partition);
            book.acknowledgedUpTo = Math.max(book.acknowledgedUpTo, sending.offset());
            if (probe.sending != null || probe.brokenDown) {
                return;
            }
            probe.sending = sending;
            if (probe.delivery == null) {
                return;
            }
            probe.brokenDown = true;
        }
        breakDown(probe);
    }

    /**
     * Notes that the consumer saw a probe of this canary.
     *
     * @param partition where it was seen
     * @param sequence its number
     * @param delivery when, and what the record says
     * @return false when no such probe was ever scheduled
     */
    public boolean delivered(int partition, long sequence, Delivery delivery) {
        Probe probe;
        synchronized (this) {
            PartitionBook book = books.get(partition);
            if (book == null || !book.issued(sequence)) {
                return false;
            }
            probe = observe(book, sequence, delivery);
            if (probe == null) {
                return true;
            }
            probe.delivery = delivery;
            if (probe.sending == null) {
                unsettled.add(probe);
                return true;
            }
            probe.brokenDown = true;
        }
        breakDown(probe);
        return true;
    }

    private void breakDown(Probe probe) {
        Breakdown breakdown =
                breakdowns.of(probe, Optional.ofNullable(probe.sending), probe.delivery);
        probe.leader.recorder.phases(probe, breakdown.phases());
        witness.seen(probe, probe.sending, probe.delivery, breakdown);
        // The book keeps the probe for as long as a duplicate may come; these are not needed then.
        probe.sending = null;
        probe.delivery = null;
    }

    /** The probe, when this delivery is the one that is observed end to end, else null. */
    private Probe observe(PartitionBook book, long sequence, Delivery delivery) {
        Probe probe = book.find(sequence);
        if (probe == null) {
            book.leader.duplicates++; // delivered, retired, and now seen again
            return null;
        }
        if (probe.outcome == Outcome.DELIVERED
                || probe.outcome == Outcome.LATE
                || probe.resurfaced) {
            probe.leader.duplicates++;
            return null;
        }
        if (sameLog && delivery.offset() < probe.acknowledgedBefore) {
            probe.leader.outOfOrder++;
            // The log has been cut back or made anew: what was acknowledged there is no measure for
            // what comes.
            book.acknowledgedUpTo = delivery.offset();
        }
        LeaderAccount leader = probe.leader;
        if (!leader.everDelivered || probe.dueNanos - leader.youngestDeliveredNanos > 0) {
            leader.everDelivered = true;
            leader.youngestDeliveredNanos = probe.dueNanos;
        }

        long latency = delivery.atNanos() - probe.dueNanos;
        if (probe.outcome == null && latency > lossHorizonNanos) {
            lose(
                    probe,
                    delivery.atNanos()); // the sweep was about to; the outcome must not depend on
            // which comes first
        }
        probe.leader.recorder.endToEnd(probe, latency);
        if (probe.outcome == null) {
            if (latency <= targetNanos) {
                judge(probe, true, false);
            } else {
                judgeBad(probe, delivery.atNanos());
            }
            end(probe, latency <= deadlineNanos ? Outcome.DELIVERED : Outcome.LATE);
        } else {
            probe.resurfaced = true;
            probe.leader.resurfaced++;
        }
        return probe;
    }

    /**
     * Judges the probes that missed their deadline, writes off those that passed the loss horizon,
     * and splits the latency of those whose acknowledgement is overdue without it.
     *
     * @param nowNanos the present
     */
    public void sweep(long nowNanos) {
        List<Probe> impatient;
        synchronized (this) {
            judgeOverdue(nowNanos);
            impatient = impatient(nowNanos);
        }
        impatient.forEach(this::breakDown);
    }

    /** Probes whose way out has told nothing for too long. */
    private List<Probe> impatient(long nowNanos) {
        List<Probe> impatient = new ArrayList<>();
        for (Probe probe = unsettled.peek();
                probe != null
                        && (probe.brokenDown
                                || nowNanos - probe.delivery.atNanos() > PATIENCE.toNanos());
                probe = unsettled.peek()) {
            unsettled.remove();
            if (!probe.brokenDown) {
                probe.brokenDown = true;
                impatient.add(probe);
            }
        }
        return impatient;
    }

    private void judgeOverdue(long nowNanos) {
        for (PartitionBook book : books.values()) {
            Probe probe = book.oldestUnjudged();
            while (probe != null && nowNanos - probe.dueNanos > deadlineNanos) {
                judgeBad(probe, nowNanos);
                book.passJudged();
                probe = book.oldestUnjudged();
            }
            probe = book.oldest();
            while (probe != null && nowNanos - probe.dueNanos > lossHorizonNanos) {
                if (probe.outcome == null) {
                    lose(probe, nowNanos);
                }
                book.retireOldest();
                probe = book.oldest();
            }
        }
    }

    /** All counts, taken at one instant, by ascending broker id. */
    public synchronized List<LeaderCounts> counts() {
        List<LeaderCounts> counts = new ArrayList<>(accounts.size());
        accounts.values().forEach(account -> counts.add(account.counts()));
        return counts;
    }

    /** Probes without an outcome yet. */
    public synchronized int inFlight() {
        return inFlight;
    }

    /** Whether a partition has probes without an outcome yet. */
    public synchronized boolean underWay(int partition) {
        PartitionBook book = books.get(partition);
        return book != null && book.underWay();
    }

    private LeaderAccount account(int leader) {
        return accounts.computeIfAbsent(leader, id -> new LeaderAccount(id, recorders.apply(id)));
    }

    private void lose(Probe probe, long nowNanos) {
        judgeBad(probe, nowNanos);
        end(probe, Outcome.LOST);
        witness.unseen(probe, Outcome.LOST, probe.sending);
    }

    private void judgeBad(Probe probe, long nowNanos) {
        if (!probe.judged) {
            long nanos = nowNanos - probe.dueNanos;
            long stalled = stalledNanos.applyAsLong(probe.dueNanos, nowNanos);
            judge(probe, false, nanos - stalled <= targetNanos);
        }
    }

    private static void judge(Probe probe, boolean good, boolean ownStall) {
        if (probe.judged) {
            return;
        }
        probe.judged = true;
        if (good) {
            probe.leader.good++;
        } else {
            probe.leader.bad++;
            if (ownStall) {
                probe.leader.stalledBad++;
            }
        }
    }

    private void end(Probe probe, Outcome outcome) {
        probe.outcome = outcome;
        probe.leader.inFlight--;
        inFlight--;
        probe.leader.outcomes[outcome.ordinal()]++;
    }
}
