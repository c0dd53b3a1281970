/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

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
 *   <li>an outcome, once given, never changes: a probe that turns up after it was written off
 *       counts as resurfaced, and its latency is still observed (no survivorship).
 * </ul>
 *
 * <p>A probe belongs to the broker that led its partition when it was scheduled, whoever leads it
 * later.
 *
 * <p>Thread-safe. One lock guards everything: at 10,000 probes a second it is held for about one
 * per cent of the time.
 */
public final class Ledger {
    private final long deadlineNanos;
    private final long lossHorizonNanos;
    private final long targetNanos;
    private final IntFunction<LatencyRecorder> recorders;

    private final Map<Integer, PartitionBook> books = new HashMap<>();
    private final Map<Integer, LeaderAccount> accounts = new TreeMap<>();

    /**
     * @param target delivered within this is good
     * @param deadline delivered after this is late; not shorter than the target
     * @param lossHorizon not delivered within this is lost; not shorter than the deadline
     * @param recorders gives each broker id its recorder; asked once per broker
     */
    public Ledger(
            Duration target,
            Duration deadline,
            Duration lossHorizon,
            IntFunction<LatencyRecorder> recorders) {
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
        return probe;
    }

    /**
     * Notes that the leader acknowledged a probe. The probe stays in flight: only the consumer can
     * tell that it arrived.
     *
     * @param probe the probe
     * @param sentNanos when send() was called
     * @param acknowledgedNanos when the acknowledgement came
     */
    public void acknowledged(Probe probe, long sentNanos, long acknowledgedNanos) {
        probe.leader.recorder.producer(acknowledgedNanos - sentNanos);
    }

    /**
     * Notes that the producer gave a probe up. One that has been delivered all the same (only its
     * acknowledgement got lost) stays delivered.
     *
     * @param probe the probe
     */
    public synchronized void sendFailed(Probe probe) {
        if (probe.outcome == null) {
            judge(probe, false);
            end(probe, Outcome.SEND_FAILED);
        }
    }

    /**
     * Notes that the consumer saw a probe of this canary.
     *
     * @param partition where it was seen
     * @param sequence its number
     * @param atNanos when poll() returned it
     * @return false when no such probe was ever scheduled
     */
    public synchronized boolean delivered(int partition, long sequence, long atNanos) {
        PartitionBook book = books.get(partition);
        if (book == null || !book.issued(sequence)) {
            return false;
        }
        Probe probe = book.find(sequence);
        if (probe == null) {
            book.leader.duplicates++; // delivered, retired, and now seen again
            return true;
        }
        if (probe.outcome == Outcome.DELIVERED
                || probe.outcome == Outcome.LATE
                || probe.resurfaced) {
            probe.leader.duplicates++;
            return true;
        }
        if (sequence < book.highestDelivered) {
            probe.leader.outOfOrder++;
        } else {
            book.highestDelivered = sequence;
        }
        LeaderAccount leader = probe.leader;
        if (!leader.everDelivered || probe.dueNanos - leader.youngestDeliveredNanos > 0) {
            leader.everDelivered = true;
            leader.youngestDeliveredNanos = probe.dueNanos;
        }

        long latency = atNanos - probe.dueNanos;
        if (probe.outcome == null && latency > lossHorizonNanos) {
            lose(probe); // the sweep was about to; the outcome must not depend on which comes first
        }
        probe.leader.recorder.endToEnd(latency);
        if (probe.outcome == null) {
            judge(probe, latency <= targetNanos);
            end(probe, latency <= deadlineNanos ? Outcome.DELIVERED : Outcome.LATE);
        } else {
            probe.resurfaced = true;
            probe.leader.resurfaced++;
        }
        return true;
    }

    /**
     * Judges the probes that missed their deadline and writes off those that passed the loss
     * horizon.
     *
     * @param nowNanos the present
     */
    public synchronized void sweep(long nowNanos) {
        for (PartitionBook book : books.values()) {
            Probe probe = book.oldestUnjudged();
            while (probe != null && nowNanos - probe.dueNanos > deadlineNanos) {
                judge(probe, false);
                book.passJudged();
                probe = book.oldestUnjudged();
            }
            probe = book.oldest();
            while (probe != null && nowNanos - probe.dueNanos > lossHorizonNanos) {
                if (probe.outcome == null) {
                    lose(probe);
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

    private LeaderAccount account(int leader) {
        return accounts.computeIfAbsent(leader, id -> new LeaderAccount(id, recorders.apply(id)));
    }

    private static void lose(Probe probe) {
        judge(probe, false);
        end(probe, Outcome.LOST);
    }

    private static void judge(Probe probe, boolean good) {
        if (probe.judged) {
            return;
        }
        probe.judged = true;
        if (good) {
            probe.leader.good++;
        } else {
            probe.leader.bad++;
        }
    }

    private static void end(Probe probe, Outcome outcome) {
        probe.outcome = outcome;
        probe.leader.inFlight--;
        probe.leader.outcomes[outcome.ordinal()]++;
    }
}
