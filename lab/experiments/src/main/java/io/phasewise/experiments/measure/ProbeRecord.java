/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One probe that came back, as the canary's log tells of it.
 *
 * @param leader the broker that led its partition
 * @param due T0 by this machine's wall clock
 * @param endToEnd milliseconds
 * @param phases milliseconds, in the order of {@link Phase}; they sum to the whole
 * @param stalled whether the canary itself stood still on its way
 */
public record ProbeRecord(
        int leader, Instant due, double endToEnd, double[] phases, boolean stalled) {

    private static final String MARK = "slow probe id=";
    private static final Pattern PAIR = Pattern.compile("(\\w+)=(\\S+)");

    /** Reads a line of the log; empty when it tells of something else. */
    public static Optional<ProbeRecord> read(String line) {
        int start = line.indexOf(MARK);
        if (start < 0) {
            return Optional.empty();
        }
        Map<String, String> pairs = new HashMap<>();
        Matcher matcher = PAIR.matcher(line.substring(start));
        while (matcher.find()) {
            pairs.put(matcher.group(1), matcher.group(2));
        }
        double[] phases = new double[Phase.values().length];
        for (Phase phase : Phase.values()) {
            phases[phase.ordinal()] = milliseconds(pairs.get(phase.label()));
        }
        return Optional.of(
                new ProbeRecord(
                        Integer.parseInt(pairs.get("leader")),
                        Instant.parse(pairs.get("due")),
                        milliseconds(pairs.get("end_to_end")),
                        phases,
                        Boolean.parseBoolean(pairs.get("stalled"))));
    }

    private static double milliseconds(String text) {
        return Double.parseDouble(text.substring(0, text.length() - "ms".length()));
    }
}
