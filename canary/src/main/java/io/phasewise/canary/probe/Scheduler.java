/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe;

import io.phasewise.canary.supervise.SupervisedThread;
import io.phasewise.canary.supervise.Supervisor;
import io.phasewise.canary.supervise.TimerSlack;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The thread that hands each probe over when it is due, whatever became of the ones before it; what
 * handing over means is left to the {@link Sender}.
 *
 * <p>A scheduler that falls behind (a pause of the process, a starved CPU) skips nothing and shifts
 * nothing: it hands over everything overdue at once, each with the instant at which it was due, and
 * the lag tells by how much it was late. It parks rather than spins: the lag that parking costs (on
 * Linux, with {@link TimerSlack} at its least, 10 to 40 us) is part of the exported lag and of the
 * produce phase, and a spinning canary would take a core from the system it measures.
 */
public final class Scheduler {
    /** Takes a probe that is due. Must not block. */
    @FunctionalInterface
    public interface Sender {
        /**
         * @param partition where the probe goes
         * @param dueNanos when it was due
         * @param nowNanos when it is handed over; not before it was due
         */
        void send(int partition, long dueNanos, long nowNanos);
    }

    /** Makes the arrivals of a partition that is served from an instant on. */
    @FunctionalInterface
    public interface NewArrivals {
        /**
         * @param partition the partition
         * @param startNanos from when on
         */
        Arrivals start(int partition, long startNanos);
    }

    /** How long to wait for the thread to end; no sending takes nearly as long. */
    private static final Duration STOP = Duration.ofSeconds(5);

    private static final long IDLE_PARK_NANOS = Duration.ofSeconds(1).toNanos();

    private final MergedArrivals arrivals = new MergedArrivals();
    private final NewArrivals newArrivals;
    private final Sender sender;
    private final LongSupplier nanoClock;
    private final SupervisedThread thread;

    /** The partitions served; used by the thread only. */
    private Set<Integer> served = Set.of();

    private volatile Set<Integer> partitions = Set.of();

    /**
     * @param supervisor starts the thread
     * @param name of the thread
     * @param newArrivals makes each partition's arrivals
     * @param sender takes what is due; a probe whose sending throws is not handed over again
     * @param faults counts what is thrown; the thread goes on
     * @param nanoClock monotonic nanoseconds
     */
    public Scheduler(
            Supervisor supervisor,
            String name,
            NewArrivals newArrivals,
            Sender sender,
            Consumer<Throwable> faults,
            LongSupplier nanoClock) {
        this.newArrivals = newArrivals;
        this.sender = sender;
        this.nanoClock = nanoClock;
        this.thread = supervisor.punctualLoop(name, faults, this::turn);
    }

    /** Starts the thread; it idles until it is given partitions. */
    public void start() {
        thread.start();
    }

    /** Sets the partitions that get probes from now on. Any thread may call it. */
    public void serve(Set<Integer> partitionsToServe) {
        Set<Integer> copy = Set.copyOf(partitionsToServe);
        if (!copy.equals(partitions)) {
            partitions = copy;
            thread.wake();
        }
    }

    /** Ends the thread; nothing is handed over after this returns. */
    public void stop() throws InterruptedException {
        thread.stop();
        thread.join(STOP);
    }

    private void turn() {
        Set<Integer> wanted = partitions;
        if (wanted != served) {
            drain(); // what is overdue for a partition that is no longer served was still due
            long start = nanoClock.getAsLong();
            arrivals.serve(wanted, partition -> newArrivals.start(partition, start));
            served = wanted;
        }
        drain();
        LockSupport.parkNanos(this, untilNext());
    }

    private void drain() {
        arrivals.drain(nanoClock.getAsLong(), (partition, due) -> sender.send(partition, due, nanoClock.getAsLong()));
    }

    private long untilNext() {
        return arrivals.isEmpty()
                ? IDLE_PARK_NANOS
                : Math.min(IDLE_PARK_NANOS, arrivals.nextDue() - nanoClock.getAsLong());
    }
}
