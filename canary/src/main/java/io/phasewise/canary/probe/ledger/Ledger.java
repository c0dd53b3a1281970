/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.OpenProbe;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
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
 *   <li>a bad verdict is the canary's own doing when the probe's time until the verdict, less the
 *       time in which the canary's process was paused, is within the target. The verdict comes with
 *       the delivery; for a probe that is still under way at its deadline it comes then. The verdict
 *       on a failed send is never the canary's own doing;
 *   <li>for every latency observed end to end one trip that came back is closed, at the latest with
 *       the first {@link #sweep} after {@link #REPORT_PATIENCE}; for every probe that is lost or not
 *       sent one trip that did not come back;
 *   <li>an outcome, once given, never changes: a probe that turns up after it was written off
 *       counts as resurfaced, and its latency is still observed (no survivorship);
 *   <li>a probe is out of order when it lies at a lower offset of its partition than another one
 *       that had been acknowledged before it was scheduled. Probes on different lanes may overtake
 *       each other; one that was acknowledged before cannot be overtaken, unless the log lost what
 *       it had acknowledged.
 * </ul>
 *
 * <p>A probe belongs to the broker that led its partition when it was scheduled, whoever leads it
 * later.
 *
 * <p>Thread-safe. One lock guards everything: at 10,000 probes a second it is held for about one
 * per cent of the time.
 */
public final class Ledger {
    /**
     * How long after its delivery a probe's trip waits for what the producer reports. The splitter waits for marks no
     * longer than that after the delivery: a trip that is closed so late is split by its mark only if that has come.
     */
    static final Duration REPORT_PATIENCE = Duration.ofSeconds(5);

    private final long deadlineNanos;
    private final long lossHorizonNanos;
    private final Consumer<Trip> closed;
    private final SloJudge judge;
    private final OverdueWatch overdue;
    private final LeaderAccounts accounts;

    /**
     * Probes that were delivered before the producer reported on them, in the order of their
     * deliveries.
     */
    private final Deque<Probe> unreported = new ArrayDeque<>();

    private final Map<Integer, PartitionProbes> partitions = new HashMap<>();
    private final RecentlyUndelivered recentlyUndelivered = new RecentlyUndelivered();
    private int inFlight;

    /**
     * @param target delivered within this is good
     * @param deadline delivered after this is late; not shorter than the target
     * @param lossHorizon not delivered within this is lost; not shorter than the deadline
     * @param recorders gives each broker id its recorder; asked once per broker
     * @param closed takes each trip that ends, on the threads that measure, without the ledger's
     *     lock; must be quick and must not call back
     * @param stalledNanos how long the canary's own process was paused between two instants,
     *     nanoseconds; called with the lock held, for bad and overdue probes only
     */
    public Ledger(
            Duration target,
            Duration deadline,
            Duration lossHorizon,
            IntFunction<LatencyRecorder> recorders,
            Consumer<Trip> closed,
            LongBinaryOperator stalledNanos) {
        this.deadlineNanos = deadline.toNanos();
        this.lossHorizonNanos = lossHorizon.toNanos();
        this.judge = new SloJudge(target.toNanos(), stalledNanos);
        this.overdue = new OverdueWatch(target, deadline, stalledNanos);
        this.accounts = new LeaderAccounts(recorders);
        this.closed = closed;
    }

    /**
     * Opens a broker's account, so that its counts exist, at zero, before its first probe.
     *
     * @param leader broker id
     */
    public synchronized void open(int leader) {
        accounts.of(leader);
    }

    /**
     * Says who leads a partition; the partition's next probes belong to that broker.
     *
     * @param partition the partition
     * @param leader broker id
     */
    public synchronized void lead(int partition, int leader) {
        partitions.computeIfAbsent(partition, p -> new PartitionProbes(recentlyUndelivered)).leader =
                accounts.of(leader);
    }

    /**
     * Enters a probe that is due.
     *
     * @param partition a partition whose leader is known
     * @param dueNanos when it was due; not before the partition's last one
     * @throws IllegalStateException when nobody leads the partition
     */
    public synchronized Probe scheduled(int partition, long dueNanos) {
        PartitionProbes probes = partitions.get(partition);
        if (probes == null) {
            throw new IllegalStateException("nobody leads partition " + partition);
        }
        Probe probe = probes.add(partition, dueNanos);
        probe.leader.scheduled++;
        probe.leader.inFlight++;
        inFlight++;
        return probe;
    }

    /**
     * Observes the producer latency of a probe that the leader acknowledged. The probe stays in
     * flight: only the consumer can tell that it arrived.
     *
     * @param probe the probe
     * @param acknowledgedNanos when the acknowledgement came
     */
    public void acknowledged(Probe probe, long acknowledgedNanos) {
        probe.leader.recorder.producer(acknowledgedNanos - probe.dueNanos);
    }

    /**
     * Notes that a probe was given up, by its producer or before one had it. One that has been
     * delivered all the same (only its acknowledgement got lost) stays delivered.
     *
     * @param probe the probe
     */
    public void sendFailed(Probe probe) {
        Trip ended;
        synchronized (this) {
            if (probe.outcome != null) {
                return;
            }
            judge.failed(probe);
            ended = endUndelivered(probe, Outcome.SEND_FAILED);
        }
        closed.accept(ended);
    }

    /**
     * Takes what the producer reports of a probe, acknowledged or failed; only the first report
     * counts.
     *
     * @param probe the probe
     * @param sent what is known of its requests
     */
    public void reported(Probe probe, SendResult sent) {
        Trip back;
        synchronized (this) {
            PartitionProbes probes = partitions.get(probe.partition);
            probes.acknowledgedUpTo = Math.max(probes.acknowledgedUpTo, sent.offset());
            if (probe.sent != null || probe.closed) {
                return;
            }
            probe.sent = sent;
            if (probe.delivery == null) {
                return;
            }
            back = close(probe);
        }
        closed.accept(back);
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
        Trip lost = null;
        Trip back = null;
        synchronized (this) {
            PartitionProbes probes = partitions.get(partition);
            if (probes == null || !probes.issued(sequence)) {
                return false;
            }
            Probe probe = probes.find(partition, sequence);
            if (isDuplicate(probe)) {
                (probe == null ? probes.leader : probe.leader).duplicates++;
                return true;
            }
            long now = delivery.atNanos();
            if (probe.outcome == null && now - probe.dueNanos > lossHorizonNanos) {
                // The sweep was about to write it off: the outcome must not depend on which comes first.
                lost = lose(probe, now);
            }
            observe(probes, probe, delivery);
            probe.delivery = delivery;
            if (probe.sent == null) {
                unreported.add(probe);
            } else {
                back = close(probe);
            }
        }
        if (lost != null) {
            closed.accept(lost);
        }
        if (back != null) {
            closed.accept(back);
        }
        return true;
    }

    /**
     * Null is a forgotten probe. It is taken for a delivered one: of the others {@link
     * RecentlyUndelivered} remembers the latest.
     */
    private static boolean isDuplicate(Probe probe) {
        return probe == null || probe.outcome == Outcome.DELIVERED || probe.outcome == Outcome.LATE || probe.resurfaced;
    }

    /** Ends the trip of a probe that came back. */
    private static Trip close(Probe probe) {
        Trip trip = probe.trip(probe.sent, probe.delivery);
        probe.closed = true;
        // The probe is kept for as long as a duplicate may come; these two are not needed for that.
        probe.sent = null;
        probe.delivery = null;
        return trip;
    }

    /** Takes in the delivery that a probe is observed by. */
    private void observe(PartitionProbes probes, Probe probe, Delivery delivery) {
        LeaderAccount leader = probe.leader;
        if (delivery.offset() < probe.acknowledgedBefore) {
            leader.outOfOrder++;
            // The log was cut back or made again: what was acknowledged there says nothing now.
            probes.acknowledgedUpTo = delivery.offset();
        }
        leader.cameBack(probe.dueNanos);
        long latency = delivery.atNanos() - probe.dueNanos;
        leader.recorder.endToEnd(probe, latency);
        if (probe.outcome != null) {
            probe.resurfaced = true;
            leader.resurfaced++;
            return;
        }
        judge.delivered(probe, delivery.atNanos());
        end(probe, latency <= deadlineNanos ? Outcome.DELIVERED : Outcome.LATE);
    }

    /**
     * Sees which probes are overdue, judges those that missed their deadline, writes off those that
     * passed the loss horizon, and closes the trips of those that came back {@link #REPORT_PATIENCE}
     * ago and of which the producer has reported nothing since.
     *
     * @param nowNanos the present
     */
    public void sweep(long nowNanos) {
        List<Trip> ended = new ArrayList<>();
        synchronized (this) {
            overdue.look(partitions.values(), nowNanos);
            judgeOverdue(nowNanos, ended);
            closeUnreported(nowNanos, ended);
        }
        ended.forEach(closed);
    }

    /** Closes the trips of which the producer has reported nothing for too long. */
    private void closeUnreported(long nowNanos, List<Trip> ended) {
        while (!unreported.isEmpty() && isOver(unreported.peek(), nowNanos)) {
            Probe probe = unreported.remove();
            if (!probe.closed) {
                ended.add(close(probe));
            }
        }
    }

    private static boolean isOver(Probe probe, long nowNanos) {
        return probe.closed || nowNanos - probe.delivery.atNanos() > REPORT_PATIENCE.toNanos();
    }

    private void judgeOverdue(long nowNanos, List<Trip> lost) {
        for (PartitionProbes probes : partitions.values()) {
            probes.judge(deadlineNanos, nowNanos, probe -> judge.missed(probe, nowNanos));
            probes.retire(lossHorizonNanos, nowNanos, probe -> {
                if (probe.outcome == null) {
                    lost.add(lose(probe, nowNanos));
                }
            });
        }
    }

    /**
     * Forgets brokers that left the cluster more than an hour ago and have no probe under way.
     * Should one come back after that, its counts begin at zero.
     *
     * @param members the brokers that are in the cluster now
     * @param nowNanos the present
     * @return those forgotten
     */
    public synchronized Set<Integer> retainBrokers(Set<Integer> members, long nowNanos) {
        return accounts.retain(members, nowNanos);
    }

    /** All counts, taken at one instant, by ascending broker id. */
    public synchronized List<LeaderCounts> counts() {
        return accounts.counts();
    }

    /** The verdicts on all probes; never less than before, though brokers are forgotten. */
    public synchronized LeaderCounts.Verdicts verdicts() {
        return judge.verdicts();
    }

    /** Whether most probes have not come back for some seconds: known before their deadline. */
    public synchronized boolean suspectsOutage() {
        return overdue.suspectsOutage();
    }

    /** Probes without an outcome yet. */
    public synchronized int inFlight() {
        return inFlight;
    }

    /**
     * Copies of the probes without an outcome that were due more than some time ago, the oldest of each partition.
     * Partitions take turns until there are enough: one that stalls longest leaves room for the others.
     *
     * @param nowNanos the present
     * @param age how long ago
     * @param most how many in all
     */
    public synchronized List<OpenProbe> open(long nowNanos, Duration age, int most) {
        List<List<Probe>> oldest = new ArrayList<>();
        if (inFlight > 0) {
            partitions.values().forEach(probes -> oldest.add(probes.open(age.toNanos(), nowNanos, most)));
        }
        List<OpenProbe> open = new ArrayList<>();
        boolean more = true;
        for (int turn = 0; more; turn++) {
            more = false;
            for (List<Probe> each : oldest) {
                if (turn < each.size() && open.size() < most) {
                    open.add(each.get(turn).open());
                    more = true;
                }
            }
        }
        return open;
    }

    /** Whether a partition has probes without an outcome yet. */
    public synchronized boolean underWay(int partition) {
        return partitions.containsKey(partition) && partitions.get(partition).underWay();
    }

    private Trip lose(Probe probe, long nowNanos) {
        judge.missed(probe, nowNanos);
        return endUndelivered(probe, Outcome.LOST);
    }

    private Trip endUndelivered(Probe probe, Outcome outcome) {
        end(probe, outcome);
        return probe.trip(probe.sent, null);
    }

    private void end(Probe probe, Outcome outcome) {
        probe.outcome = outcome;
        probe.leader.inFlight--;
        probe.leader.overdue -= probe.overdue ? 1 : 0;
        inFlight--;
        probe.leader.outcomes[outcome.ordinal()]++;
    }
}
