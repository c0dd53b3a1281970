/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.slow;

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

    /**
     * What is remembered now.
     *
     * @param slowest those of the last hour, slowest first
     * @param undelivered the latest of the last hour that were lost or not sent, latest first
     */
    public record Entries(List<SlowProbe> slowest, List<UndeliveredProbe> undelivered) {
        public static final Entries NONE = new Entries(List.of(), List.of());
    }

    private final ProbeLines lines;
    private final int keep;
    private final long logAboveNanos;
    private final ProbeReports reports;
    private final LongSupplier nanoClock;
    private final SlowestProbes slowest;
    private final SlowProbeLog log;

    /** Oldest first; guarded by itself. */
    private final Deque<Ended> undelivered = new ArrayDeque<>();

    private record Ended(long atNanos, UndeliveredProbe probe) {}

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
     * @param reports says what is known of a probe
     * @param nanoClock monotonic nanoseconds
     * @param out writes a line
     */
    public ProbeJournal(
            Rules rules, ProbeLines lines, ProbeReports reports, LongSupplier nanoClock, Consumer<String> out) {
        this.lines = lines;
        this.keep = rules.keep();
        this.logAboveNanos = rules.logAbove().toNanos();
        this.reports = reports;
        this.nanoClock = nanoClock;
        this.slowest = new SlowestProbes(rules.keep(), nanoClock.getAsLong());
        this.log = new SlowProbeLog(rules.logPerMinute(), lines::leftOut, out);
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
        SlowProbe slow = reports.delivered(trip, breakdown);
        if (kept) {
            slowest.add(slow, at);
        }
        if (logged) {
            log.add(() -> lines.slow(slow), at);
        }
    }

    @Override
    public void undelivered(Trip trip) {
        long now = nanoClock.getAsLong();
        UndeliveredProbe entry = reports.undelivered(trip);
        log.add(() -> lines.undelivered(entry), now);
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

    /** What is remembered now. */
    public Entries entries() {
        long now = nanoClock.getAsLong();
        List<UndeliveredProbe> latest = new ArrayList<>();
        synchronized (undelivered) {
            undelivered.removeIf(ended -> now - ended.atNanos() > HOUR);
            undelivered.descendingIterator().forEachRemaining(ended -> latest.add(ended.probe()));
        }
        return new Entries(slowest.slowest(now), List.copyOf(latest));
    }
}
