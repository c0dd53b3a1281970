/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.slow;

import io.phasewise.canary.phases.ProbeObservation;
import io.phasewise.canary.phases.WallTime;
import io.phasewise.canary.probe.ProbeId;
import io.phasewise.canary.probe.ledger.Breakdown;
import io.phasewise.canary.probe.ledger.Delivery;
import io.phasewise.canary.probe.ledger.Outcome;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.probe.ledger.ProbeWitness;
import io.phasewise.canary.probe.ledger.SendResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Remembers the slowest probes of the last hour and the latest of those that were never seen, and
 * has a line logged for each that took longer than so much; counting and histograms are left to
 * others. Thread-safe.
 *
 * <p>A lost probe that turns up at last is in both lists.
 */
public final class ProbeJournal implements ProbeWitness {
    private static final long HOUR = Duration.ofHours(1).toNanos();

    /**
     * Says how long the canary's own process was paused within a stretch of time; see {@link
     * io.phasewise.canary.supervise.Stalls#within}.
     */
    @FunctionalInterface
    public interface StallCheck {
        /**
         * @param start monotonic nanoseconds
         * @param end not before start
         * @return nanoseconds, 0 when it did not
         */
        long within(long start, long end);
    }

    /**
     * What is remembered now.
     *
     * @param slowest those of the last hour, slowest first
     * @param unseen the latest of the last hour that were lost or not sent, latest first
     */
    public record Entries(List<SlowProbe> slowest, List<UnseenProbe> unseen) {
        public static final Entries NONE = new Entries(List.of(), List.of());
    }

    private final ProbeLines lines;
    private final int keep;
    private final long logAboveNanos;
    private final long instance;
    private final StallCheck stallCheck;
    private final WallTime wallTime;
    private final LongSupplier nanoClock;
    private final SlowestOfTheHour slowest;
    private final SlowProbeLog log;

    /** Oldest first; guarded by itself. */
    private final Deque<Ended> unseen = new ArrayDeque<>();

    private record Ended(long atNanos, UnseenProbe probe) {}

    /**
     * Which probes are remarkable.
     *
     * @param keep how many to remember of either kind, 0 or more
     * @param logPerMinute how many to log in a minute, 0 or more
     * @param logAbove slower ones are logged
     */
    public record Rules(int keep, int logPerMinute, Duration logAbove) {}

    /**
     * @param rules which probes are remarkable
     * @param lines writes the lines of the log
     * @param instance of the canary that sends them
     * @param stallCheck knows when this process was paused
     * @param wallClock dates T0
     * @param nanoClock monotonic nanoseconds
     * @param out writes a line
     */
    public ProbeJournal(
            Rules rules,
            ProbeLines lines,
            long instance,
            StallCheck stallCheck,
            InstantSource wallClock,
            LongSupplier nanoClock,
            Consumer<String> out) {
        this.lines = lines;
        this.keep = rules.keep();
        this.logAboveNanos = rules.logAbove().toNanos();
        this.instance = instance;
        this.stallCheck = stallCheck;
        this.wallTime = new WallTime(wallClock, nanoClock);
        this.nanoClock = nanoClock;
        this.slowest = new SlowestOfTheHour(rules.keep(), nanoClock.getAsLong());
        this.log = new SlowProbeLog(rules.logPerMinute(), lines::leftOut, out);
    }

    @Override
    public void seen(Probe probe, SendResult sending, Delivery delivery, Breakdown breakdown) {
        long latency = delivery.atNanos() - probe.dueNanos();
        boolean logged = latency > logAboveNanos;
        boolean kept = slowest.admits(latency, delivery.atNanos());
        if (!logged && !kept) {
            return;
        }
        SlowProbe slow =
                new SlowProbe(
                        ProbeId.of(instance, probe.partition(), probe.sequence()),
                        probe.leader(),
                        probe.partition(),
                        delivery.offset(),
                        probe.outcome(),
                        wallTime.at(probe.dueNanos()),
                        breakdown,
                        acknowledged(probe, sending),
                        sending == null ? 0 : sending.waitedNanos(),
                        stallCheck.within(probe.dueNanos(), delivery.atNanos()));
        if (kept) {
            slowest.add(slow, delivery.atNanos());
        }
        if (logged) {
            log.add(() -> lines.slow(slow), delivery.atNanos());
        }
    }

    @Override
    public void unseen(Probe probe, Outcome outcome, SendResult sending) {
        long now = nanoClock.getAsLong();
        UnseenProbe entry = entry(probe, outcome, sending);
        log.add(() -> lines.unseen(entry), now);
        synchronized (unseen) {
            unseen.add(new Ended(now, entry));
            if (unseen.size() > keep) {
                unseen.remove();
            }
        }
    }

    private UnseenProbe entry(Probe probe, Outcome outcome, SendResult sending) {
        OptionalLong dispatched = OptionalLong.empty();
        if (sending != null) {
            int requests = sending.dispatches().size();
            if (requests > 0) {
                dispatched =
                        OptionalLong.of(sending.dispatches().get(requests - 1) - probe.dueNanos());
            }
        }
        return new UnseenProbe(
                ProbeId.of(instance, probe.partition(), probe.sequence()),
                probe.leader(),
                probe.partition(),
                outcome,
                wallTime.at(probe.dueNanos()),
                dispatched,
                acknowledged(probe, sending));
    }

    private static OptionalLong acknowledged(Probe probe, SendResult sending) {
        return sending == null || sending.acknowledged() == ProbeObservation.UNKNOWN
                ? OptionalLong.empty()
                : OptionalLong.of(sending.acknowledged() - probe.dueNanos());
    }

    /** Writes the lines that are due; call it several times a second. */
    public void flush() {
        log.flush(nanoClock.getAsLong());
    }

    /** What is remembered now. */
    public Entries entries() {
        long now = nanoClock.getAsLong();
        List<UnseenProbe> latest = new ArrayList<>();
        synchronized (unseen) {
            unseen.removeIf(ended -> now - ended.atNanos() > HOUR);
            unseen.descendingIterator().forEachRemaining(ended -> latest.add(ended.probe()));
        }
        return new Entries(slowest.slowest(now), List.copyOf(latest));
    }
}
