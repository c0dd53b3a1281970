/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.query;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A stretch of time, cut into blocks that are read one by one.
 *
 * @param from its start, at the start of a block
 * @param to its end, at the end of a block
 * @param block how long a block is
 */
public record Window(Instant from, Instant to, Duration block) {

    /**
     * A shorter window has too few blocks to tell probes that are alike from those that are not.
     */
    public static final Duration SHORTEST = Duration.ofMinutes(10);

    /**
     * A window shorter than this is cut into the shortest blocks. In a longer one they would be
     * empty where a server scrapes seldom.
     */
    private static final Duration SHORT = Duration.ofHours(1);

    private static final Duration SHORT_BLOCK = Duration.ofMinutes(1);

    private static final int BLOCKS = 24;
    private static final List<Duration> FINE =
            List.of(Duration.ofHours(1), Duration.ofMinutes(15), Duration.ofMinutes(5));
    private static final List<Duration> COARSE = List.of(
            Duration.ofDays(1),
            Duration.ofHours(6),
            Duration.ofHours(2),
            Duration.ofHours(1),
            Duration.ofMinutes(15),
            Duration.ofMinutes(5));

    /** The window, in blocks of an hour or, where that would be too few, less, down to a minute. */
    public static Window fine(Instant from, Instant to) {
        return cut(from, to, FINE);
    }

    /** The same time in blocks of a day or less: for what there are many of. */
    public Window coarse() {
        return cut(from, to, COARSE);
    }

    /** Whether rates that are recorded over five minutes tell anything of one block. */
    public boolean holdsRecorded() {
        return block.compareTo(SHORT_BLOCK) > 0;
    }

    /** Whether both have an instant in common. */
    public boolean overlaps(Window other) {
        return from.isBefore(other.to) && other.from.isBefore(to);
    }

    /** Its two ends, for a message. */
    public String text() {
        return "between " + from + " and " + to;
    }

    /** How many blocks. */
    public int blocks() {
        return (int) (length().toMillis() / block.toMillis());
    }

    public Duration length() {
        return Duration.between(from, to);
    }

    /** The end of the first block. */
    public Instant firstEnd() {
        return from.plus(block);
    }

    private static Window cut(Instant from, Instant to, List<Duration> lengths) {
        Duration length = Duration.between(from, to);
        Duration least = length.compareTo(SHORT) < 0 ? SHORT_BLOCK : lengths.get(lengths.size() - 1);
        Duration chosen = lengths.stream()
                .filter(each -> length.toMillis() >= BLOCKS * each.toMillis())
                .findFirst()
                .orElse(least);
        long step = chosen.toSeconds();
        long begin = Math.floorDiv(from.getEpochSecond(), step) * step;
        long end = Math.floorDiv(to.getEpochSecond(), step) * step;
        return new Window(Instant.ofEpochSecond(begin), Instant.ofEpochSecond(end), chosen);
    }
}
