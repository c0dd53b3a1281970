/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a JVM stood still, read from its safepoint log, in which all collectors say it alike;
 * pauses that no collection caused count too.
 *
 * @param milliseconds each pause, ascending, from the request to the last thread's release
 * @param collections how many of them belonged to the collector
 */
public record Pauses(List<Double> milliseconds, long collections) {
    private static final Pattern SAFEPOINT =
            Pattern.compile("\\[([0-9.]+)s\\].*Safepoint \"(\\w+)\".*Total: +(\\d+) ns");

    /** Operations that are no collection and that every JVM has now and then. */
    private static final List<String> OTHERS =
            List.of("ICBufferFull", "Cleanup", "HandshakeAllThreads", "Halt", "PrintThreads");

    /**
     * Reads a log.
     *
     * @param fromSeconds since the JVM's start; earlier pauses are left out
     * @throws UncheckedIOException when it cannot be read
     */
    static Pauses read(Path log, double fromSeconds) {
        try {
            return of(Files.readAllLines(log), fromSeconds);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The pauses among the lines of a log. */
    static Pauses of(List<String> lines, double fromSeconds) {
        List<Double> all = new ArrayList<>();
        long collections = 0;
        for (String line : lines) {
            Matcher matcher = SAFEPOINT.matcher(line);
            if (matcher.find() && Double.parseDouble(matcher.group(1)) >= fromSeconds) {
                all.add(Long.parseLong(matcher.group(3)) / 1e6);
                if (!OTHERS.contains(matcher.group(2))) {
                    collections++;
                }
            }
        }
        Collections.sort(all);
        return new Pauses(all, collections);
    }

    /** The pauses of several runs. */
    public static Pauses together(List<Pauses> runs) {
        return new Pauses(
                runs.stream().flatMap(run -> run.milliseconds().stream()).sorted().toList(),
                runs.stream().mapToLong(Pauses::collections).sum());
    }

    /**
     * A quantile by rank.
     *
     * @param share from 0 to 1
     * @return milliseconds; 0 when there was no pause
     */
    public double quantile(double share) {
        if (milliseconds.isEmpty()) {
            return 0;
        }
        int rank = (int) Math.ceil(share * milliseconds.size());
        return milliseconds.get(Math.max(1, rank) - 1);
    }

    /** The longest, in milliseconds; 0 when there was none. */
    public double max() {
        return quantile(1);
    }

    /** All together, in milliseconds. */
    public double total() {
        return milliseconds.stream().mapToDouble(Double::doubleValue).sum();
    }
}
