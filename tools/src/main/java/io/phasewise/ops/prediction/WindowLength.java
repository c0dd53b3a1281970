/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.prediction;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * How long a window has to be for the scrapes that there are: it is cut into {@link #BATCHES}
 * parts, and the growth of a counter in a part needs two scrapes.
 */
public final class WindowLength {

    /** A window is cut into this many parts. */
    public static final int BATCHES = 10;

    /** A window needs this many scrapes. */
    public static final int SCRAPES = 2 * BATCHES;

    /** Seconds that a window may have. */
    public static final int SHORTEST = 60;

    public static final int LONGEST = 3_600;

    private static final int USUAL = 300;
    private static final int MINUTE = 60;

    private WindowLength() {}

    /**
     * The time between two scrapes.
     *
     * @param series the times of samples, a collection for each series
     * @return the median, of the series that is scraped least often; empty where no series has
     *     three samples
     */
    public static Optional<Duration> interval(Collection<List<Instant>> series) {
        return series.stream()
                .filter(times -> times.size() > 2)
                .map(WindowLength::median)
                .max(Duration::compareTo);
    }

    private static Duration median(List<Instant> times) {
        List<Instant> sorted = new ArrayList<>(times);
        Collections.sort(sorted);
        List<Duration> between = new ArrayList<>();
        for (int i = 1; i < sorted.size(); i++) {
            between.add(Duration.between(sorted.get(i - 1), sorted.get(i)));
        }
        Collections.sort(between);
        return between.get(between.size() / 2);
    }

    /**
     * The length of a window where none is given: 300 s, or what twenty scrapes need, in whole
     * minutes.
     *
     * @param interval between two scrapes; empty where it is not known
     */
    public static Duration usual(Optional<Duration> interval) {
        long needed = interval.map(WindowLength::needed).orElse(0L);
        return Duration.ofSeconds(Math.min(LONGEST, Math.max(USUAL, needed)));
    }

    /**
     * Refuses a window with too few scrapes.
     *
     * @param interval between two scrapes; empty where it is not known, and nothing is refused
     * @throws InsufficientDataException says how many there are, how many are needed, and which
     *     window has them
     */
    public static void check(Duration window, Optional<Duration> interval) throws InsufficientDataException {
        if (interval.isEmpty()) {
            return;
        }
        long scrapes = scrapes(window, interval.get());
        if (scrapes >= SCRAPES) {
            return;
        }
        long needed = needed(interval.get());
        throw new InsufficientDataException("window too short: %d scrapes, %d needed. %s"
                .formatted(
                        scrapes,
                        SCRAPES,
                        needed <= LONGEST
                                ? "Try --window " + needed
                                : "The canary is scraped every %.0f s, too seldom to predict anything: every %d s is needed"
                                        .formatted(interval.get().toMillis() / 1e3, LONGEST / SCRAPES)));
    }

    /** How many scrapes a window has. A scrape that is some milliseconds late counts. */
    private static long scrapes(Duration window, Duration interval) {
        return Math.round(Math.floor(window.toMillis() / (double) Math.max(1, interval.toMillis()) + 0.01));
    }

    /** Seconds, in whole minutes. */
    private static long needed(Duration interval) {
        double seconds = SCRAPES * interval.toMillis() / 1e3;
        return Math.max(SHORTEST, MINUTE * Math.round(Math.ceil(seconds / MINUTE - 0.01)));
    }
}
