/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What was seen of one fault; written to JSON as it is, and the document is made of that.
 *
 * @param name of the row
 * @param about what was broken
 * @param faults what was not as it must be; empty when all was
 * @param notJudged why nothing, or not all, can be said of it although this machine can carry it
 *     out; empty when it was judged
 * @param skipped why this machine cannot carry it out; empty when it can
 * @param scheduled probes scheduled in the row
 * @param outcomes how they ended, by the canary's labels
 * @param inFlight more probes under way at its end than at its start
 * @param windowSeconds how long the fault lasted, from just before it was begun until its mending
 * @param window how probes ended that were due in that time, by the canary's labels
 * @param falseDeliveries probes counted as delivered that are not in the log of the topic, or of
 *     which no latency was recorded
 * @param duplicates records that came twice (a retry makes them; they are counted, not hidden)
 * @param stalled probes that the canary's own standstill touched
 * @param clockSteps of brokers' clocks that the canary counted
 * @param injected milliseconds that the fault adds to a probe by arithmetic, by phase; empty where
 *     that is not known
 * @param added milliseconds that each phase's mean grew by while it lasted, against before and
 *     after
 * @param wander milliseconds that the mean without the fault may be off by: half of what before and
 *     after differ by; absent where that is not known
 * @param told what a broker's own metrics showed while it lasted, mean milliseconds
 * @param alerts that fired in the row, with the seconds after the fault began
 * @param inhibited alerts that were held back because of others
 * @param standing alerts that were pending, firing or held back before it; they are not its own
 * @param alertsWatched whether a Prometheus watched at all
 * @param recoverySeconds from the beginning of the mending until probes were as good as before; see
 *     {@link Fates#recovered}
 * @param canary how its process was; null where the row was not begun
 */
public record RowResult(
        String name,
        String about,
        List<String> faults,
        String notJudged,
        String skipped,
        long scheduled,
        Map<String, Long> outcomes,
        long inFlight,
        double windowSeconds,
        Map<String, Long> window,
        long falseDeliveries,
        long duplicates,
        long stalled,
        long clockSteps,
        Map<String, Double> injected,
        Map<String, Double> added,
        Double wander,
        Map<String, Double> told,
        Map<String, Double> alerts,
        List<String> inhibited,
        List<String> standing,
        boolean alertsWatched,
        double recoverySeconds,
        CanaryHealth canary) {
    static final String CANARY_ENDED = "the canary has ended";

    /** What is to be said of a row in a word. */
    public enum State {
        GOOD,
        BAD,
        /** It might be good, and nobody knows. */
        NOT_JUDGED,
        /** This machine cannot carry it out. */
        SKIPPED;

        /** For people. */
        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** A row that this machine cannot carry out. */
    public static RowResult skipped(Row row, String why) {
        return unmeasured(row, List.of(), "", why, null);
    }

    /** A row that this machine could carry out and did not. */
    static RowResult notJudged(Row row, String why) {
        return unmeasured(row, List.of(), why, "", null);
    }

    /** A row whose brokers, canary, Prometheus or Alertmanager could not be started. */
    static RowResult notStarted(Row row, Exception why) {
        return unmeasured(
                row, List.of("not run, what it needs did not start: " + why), "", "", null);
    }

    /**
     * A row that broke down before it could be judged.
     *
     * @param alive whether the canary's process is
     */
    static RowResult brokenOff(Row row, Exception why, boolean alive) {
        String fault = "broken off: " + why;
        return unmeasured(
                row,
                alive ? List.of(fault) : List.of(fault, CANARY_ENDED),
                "",
                "",
                CanaryHealth.unread(alive));
    }

    private static RowResult unmeasured(
            Row row, List<String> faults, String notJudged, String skipped, CanaryHealth canary) {
        return new RowResult(
                row.name(),
                row.about(),
                faults,
                notJudged,
                skipped,
                0,
                Map.of(),
                0,
                0,
                Map.of(),
                0,
                0,
                0,
                0,
                Map.of(),
                Map.of(),
                null,
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                false,
                0,
                canary);
    }

    /** What is to be said of it; what is wrong is so, whatever else could not be judged. */
    public State state() {
        if (!faults.isEmpty()) {
            return State.BAD;
        }
        if (!notJudged.isEmpty()) {
            return State.NOT_JUDGED;
        }
        return skipped.isEmpty() ? State.GOOD : State.SKIPPED;
    }

    /** What is wrong, could not be judged or cannot be carried out; empty when it is good. */
    public List<String> reasons() {
        List<String> reasons = new ArrayList<>(faults);
        if (!notJudged.isEmpty()) {
            reasons.add(faults.isEmpty() ? notJudged : "not all judged: " + notJudged);
        }
        if (!skipped.isEmpty()) {
            reasons.add(skipped);
        }
        return reasons;
    }

    /**
     * The state with its reasons, but for the excerpts of logs that follow some: a table's cell.
     */
    public String verdict() {
        String all =
                reasons().stream()
                        .map(reason -> reason.lines().findFirst().orElse(""))
                        .collect(Collectors.joining("; "));
        return state().label() + (all.isEmpty() ? "" : ": " + all);
    }
}
