/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import io.phasewise.common.phase.Phase;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How one probe ended, from the canary's log.
 *
 * @param partition that it was sent to
 * @param sequence its number in that partition; numbers have no gaps
 * @param leader id of the broker that led the partition
 * @param due T0 by this machine's wall clock
 * @param outcome the canary's label
 * @param endToEnd milliseconds; infinite for a probe that was lost or not sent, so that it
 *     ranks behind all that came back
 * @param acknowledged milliseconds from T0 to the producer's acknowledgement; infinite where none
 *     came
 * @param phases milliseconds, in the order of {@link Phase}; they sum to endToEnd. NaN where it
 *     did not come back
 * @param stalledMillis how long the canary's own process was paused while the probe was in
 *     flight; NaN where it was paused and the log does not say for how long
 */
public record ProbeRecord(
        int partition,
        long sequence,
        int leader,
        Instant due,
        String outcome,
        double endToEnd,
        double acknowledged,
        double[] phases,
        double stalledMillis) {

    private static final String DELIVERED = "delivered";

    private static final Pattern START = Pattern.compile(" (slow|undelivered) probe id=\\p{XDigit}+-(\\d+)-(\\d+) ");
    private static final Pattern PAIR = Pattern.compile("(\\w+)=(\\S+)");

    /** Reads a line of the log; empty when the line is not about a probe. */
    public static Optional<ProbeRecord> read(String line) {
        Matcher start = START.matcher(line);
        if (!start.find()) {
            return Optional.empty();
        }
        Map<String, String> pairs = new HashMap<>();
        Matcher matcher = PAIR.matcher(line).region(start.end(), line.length());
        while (matcher.find()) {
            pairs.put(matcher.group(1), matcher.group(2));
        }
        boolean seen = start.group(1).equals("slow");
        double[] phases = Stream.of(Phase.values())
                .mapToDouble(p -> seen ? milliseconds(pairs.get(p.label())) : Double.NaN)
                .toArray();
        return Optional.of(new ProbeRecord(
                Integer.parseInt(start.group(2)),
                Long.parseLong(start.group(3)),
                Integer.parseInt(pairs.get("leader")),
                Instant.parse(pairs.get("due")),
                pairs.get("outcome"),
                seen ? milliseconds(pairs.get("end_to_end")) : Double.POSITIVE_INFINITY,
                ifEver(pairs.get("acknowledged")),
                phases,
                stalled(pairs)));
    }

    private static double stalled(Map<String, String> pairs) {
        if (!Boolean.parseBoolean(pairs.get("stalled"))) {
            return 0;
        }
        String millis = pairs.get("stalled_for");
        return millis == null ? Double.NaN : milliseconds(millis);
    }

    /** The mean of each phase over the probes that came back, milliseconds; NaN when none did. */
    public static Map<Phase, Double> means(List<ProbeRecord> probes) {
        Map<Phase, Double> means = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            means.put(
                    phase,
                    probes.stream()
                            .filter(ProbeRecord::cameBack)
                            .mapToDouble(probe -> probe.phases()[phase.ordinal()])
                            .average()
                            .orElse(Double.NaN));
        }
        return means;
    }

    /** Whether the canary itself was paused while the probe was in flight. */
    public boolean stalled() {
        return stalledMillis != 0;
    }

    /**
     * Whether half of its latency or more was a pause of the canary, so that it says little about
     * Kafka. A short pause does not count: a probe that takes seconds, because Kafka is slow, has
     * nearly always met one. Where the length of the pause is not known, any pause counts.
     */
    public boolean mostlyCanaryPause() {
        return stalled() && !(stalledMillis < endToEnd / 2);
    }

    /** Whether it came back. */
    public boolean cameBack() {
        return Double.isFinite(endToEnd);
    }

    /** Whether it came back after its deadline or not at all. */
    public boolean notInTime() {
        return !outcome.equals(DELIVERED);
    }

    /** Whether it was delivered within so many milliseconds. */
    public boolean within(double millis) {
        return !notInTime() && endToEnd <= millis;
    }

    private static double ifEver(String text) {
        return text.equals("never") ? Double.POSITIVE_INFINITY : milliseconds(text);
    }

    private static double milliseconds(String text) {
        return Double.parseDouble(text.substring(0, text.length() - "ms".length()));
    }
}
