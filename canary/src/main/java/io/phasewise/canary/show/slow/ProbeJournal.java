/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.slow;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.split.TripReader;
import io.phasewise.canary.trip.Trip;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Remembers the slowest probes of the last hour and the latest of those that were never seen, and
 * has a line logged for each that took longer than a set time; counting and histograms are left to
 * others. Thread-safe.
 *
 * <p>A lost probe that turns up at last is in both lists.
 */
public final class ProbeJournal implements TripReader {
    private static final long HOUR = Duration.ofHours(1).toNanos();

    private final int keep;
    private final long logAboveNanos;
    private final ProbeSource source;
    private final LongSupplier nanoClock;
    private final SlowestProbes slowest;
    private final SlowProbeLog log;

    /** Oldest first; guarded by itself. */
    private final Deque<Ended> undelivered = new ArrayDeque<>();

    private record Ended(long atNanos, ProbeReport probe) {}

    /**
     * @param keep how many to remember of either kind, 0 or more
     * @param logPerMinute how many to log in a minute, 0 or more
     * @param logAbove slower ones are logged
     * @param source whose probes they are
     * @param nanoClock monotonic nanoseconds
     * @param out writes a line
     */
    public ProbeJournal(
            int keep,
            int logPerMinute,
            Duration logAbove,
            ProbeSource source,
            LongSupplier nanoClock,
            Consumer<String> out) {
        this.keep = keep;
        this.logAboveNanos = logAbove.toNanos();
        this.source = source;
        this.nanoClock = nanoClock;
        this.slowest = new SlowestProbes(keep, nanoClock.getAsLong());
        this.log = new SlowProbeLog(logPerMinute, this::leftOut, out);
    }

    private String leftOut(long count) {
        return "slow and undelivered probes not logged in the last minute (rate limit) %s count=%s"
                .formatted(source.named(), count);
    }

    @Override
    public void delivered(Trip trip, Breakdown breakdown) {
        long latency = trip.latencyNanos();
        long at = trip.delivery().atNanos();
        boolean logged = latency > logAboveNanos;
        boolean kept = slowest.admits(latency, at);
        if (!logged && !kept) {
            return;
        }
        ProbeReport slow = source.delivered(trip, breakdown);
        if (kept) {
            slowest.add(slow, at);
        }
        if (logged) {
            log.add(slow::line, at);
        }
    }

    @Override
    public void undelivered(Trip trip, Account wait) {
        long now = nanoClock.getAsLong();
        ProbeReport entry = source.undelivered(trip);
        log.add(entry::line, now);
        synchronized (undelivered) {
            undelivered.add(new Ended(now, entry));
            if (undelivered.size() > keep) {
                undelivered.remove();
            }
        }
    }

    /** Writes the lines that are due; call it several times a second. */
    public void flush() {
        log.flush(nanoClock.getAsLong());
    }

    /** The slowest of the last hour, slowest first. */
    public List<ProbeReport> slowest() {
        return slowest.slowest(nanoClock.getAsLong());
    }

    /** The latest of the last hour that were lost or not sent, latest first. */
    public List<ProbeReport> undelivered() {
        long now = nanoClock.getAsLong();
        List<ProbeReport> latest = new ArrayList<>();
        synchronized (undelivered) {
            undelivered.removeIf(ended -> now - ended.atNanos() > HOUR);
            undelivered.descendingIterator().forEachRemaining(ended -> latest.add(ended.probe()));
        }
        return latest;
    }
}
