/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.lab.fault.FalseClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A broker's false clock that remembers what it was set to, so that the true time of what it
 * stamped is known. Thread-safe.
 */
final class SetClock {
    private final FalseClock clock;
    private final double ppm;
    private final long startedNanos = System.nanoTime();

    /** Nanoseconds ahead, by the true wall clock's nanoseconds at which setting it was over. */
    private final NavigableMap<Long, Long> settings = new TreeMap<>();

    private double seconds;

    /**
     * @param clock what the broker goes by
     * @param seconds how far ahead it is to be
     * @param ppm how fast, once {@link #drift} is called every now and then
     */
    SetClock(FalseClock clock, double seconds, double ppm) {
        this.clock = clock;
        this.ppm = ppm;
        set(seconds);
    }

    Map<String, String> environment() {
        return clock.environment();
    }

    /** Steps. */
    synchronized void set(double ahead) {
        seconds = ahead;
        long nanos = ahead();
        clock.set(Duration.ofNanos(nanos));
        settings.put(nanos(Instant.now()), nanos);
    }

    synchronized void drift() {
        if (ppm != 0) {
            set(seconds);
        }
    }

    /** Nanoseconds ahead, as set last. */
    synchronized long ahead() {
        return (long) (seconds * 1e9 + (System.nanoTime() - startedNanos) * ppm / 1e6);
    }

    /**
     * The true wall clock at which the false one stood there.
     *
     * @param stood nanoseconds of wall clock, as are all others
     * @param from no earlier than this, nor than this clock
     * @param to no later than this
     * @param near the one closest to this, where the clock was set between the two
     */
    synchronized long trueNanos(long stood, long from, long to, long near) {
        // The one after was perhaps being set already.
        Long last = settings.higherKey(to);
        return settings
                .subMap(
                        settings.floorKey(from),
                        true,
                        last == null ? settings.lastKey() : last,
                        true)
                .values()
                .stream()
                .map(ahead -> stood - ahead)
                .min(Comparator.comparing(at -> Math.abs(at - near)))
                .orElseThrow();
    }

    /** Nanoseconds since 1970. */
    static long nanos(Instant instant) {
        return instant.getEpochSecond() * 1_000_000_000 + instant.getNano();
    }
}
