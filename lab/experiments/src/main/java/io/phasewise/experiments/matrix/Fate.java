/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.measure.ProbeRecord;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How one probe ended, as the canary's log tells of it.
 *
 * @param partition where it was sent
 * @param sequence its number there; they follow one another from 0
 * @param leader the broker that led its partition
 * @param due T0 by this machine's wall clock
 * @param outcome the canary's label
 * @param back its latency; empty where it was not seen (yet)
 */
record Fate(
        int partition,
        long sequence,
        int leader,
        Instant due,
        String outcome,
        Optional<ProbeRecord> back) {
    private static final Pattern LINE =
            Pattern.compile(
                    "(?:slow|unseen) probe id=([0-9a-f]{16})-(\\d+)-(\\d+) .*leader=(\\d+) .*"
                            + "outcome=(\\w+) due=(\\S+)");

    /** Reads a line of the log; empty when it tells of something else. */
    static Optional<Fate> read(String line) {
        Matcher told = LINE.matcher(line);
        return told.find()
                ? Optional.of(
                        new Fate(
                                Integer.parseInt(told.group(2)),
                                Long.parseLong(told.group(3)),
                                Integer.parseInt(told.group(4)),
                                Instant.parse(told.group(6)),
                                told.group(5),
                                ProbeRecord.read(line).filter(ProbeRecord::seen)))
                : Optional.empty();
    }

    /** Whether it came back after its deadline or not at all. */
    boolean gone() {
        return !outcome.equals("delivered");
    }

    /** Whether it was delivered within so many milliseconds. */
    boolean within(double millis) {
        return !gone() && back.filter(probe -> probe.endToEnd() <= millis).isPresent();
    }
}
