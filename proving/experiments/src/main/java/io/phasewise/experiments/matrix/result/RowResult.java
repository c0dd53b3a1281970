/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.result;

import io.phasewise.experiments.matrix.observation.ProbeOutcomes;
import io.phasewise.experiments.matrix.row.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What was seen of one fault, and what is to be said of it.
 *
 * @param name of the row
 * @param about what was broken
 * @param faults what was not as declared; empty when all was
 * @param notJudged why nothing, or not all, can be said of it although this machine can carry it
 *     out; empty when it was judged
 * @param skipped why this machine cannot carry it out; empty when it can
 * @param seconds how long the fault lasted
 * @param ends how probes ended that were due in that time, by the canary's labels; empty where the
 *     row was not run
 * @param recoverySeconds from the beginning of the mending until probes were as good as before; see
 *     {@link ProbeOutcomes#recovered}
 * @param amount milliseconds that the fault added to a probe, by the phase that they belong to;
 *     empty where that is not known
 * @param added milliseconds that each phase's mean grew by, against before and after; empty where
 *     most probes did not come back
 * @param wander milliseconds that the mean without the fault may be off by; null where not known
 * @param namings whom suspects and alerts named, and when
 * @param told what a broker's own metrics showed while it lasted, mean milliseconds
 */
public record RowResult(
        String name,
        String about,
        List<String> faults,
        String notJudged,
        String skipped,
        double seconds,
        Map<String, Long> ends,
        double recoverySeconds,
        Map<String, Double> amount,
        Map<String, Double> added,
        Double wander,
        List<Naming> namings,
        Map<String, Double> told) {
    public static final String CANARY_ENDED = "the canary has ended";

    /** Whether a name is one that is declared. */
    public enum Right {
        RIGHT("right"),
        /** The broker is a declared one; what is said to be the matter with it is another thing. */
        WRONG_ROLE("right broker, wrong role"),
        WRONG("wrong"),
        /** Nobody is accused. */
        NEITHER("-");

        private final String label;

        Right(String label) {
            this.label = label;
        }

        public static Right of(boolean right) {
            return right ? RIGHT : WRONG;
        }

        /** For people. */
        public String label() {
            return label;
        }
    }

    /**
     * A suspect or an alert.
     *
     * @param what it is
     * @param who is named, for people
     * @param seconds after the fault began; null where nobody was named
     */
    public record Naming(String what, String who, Right right, Double seconds) {}

    /** What is to be said of a row in a word. */
    public enum State {
        GOOD,
        BAD,
        /** It might be good, and nobody knows. */
        NOT_JUDGED,
        /** This machine cannot carry it out. */
        SKIPPED;

        /** For people. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** A row that this machine cannot carry out. */
    public static RowResult skipped(Row row, String why) {
        return unmeasured(row, List.of(), "", why);
    }

    /** A row that this machine could carry out and did not. */
    public static RowResult notJudged(Row row, String why) {
        return unmeasured(row, List.of(), why, "");
    }

    /** A row that broke down before it could be judged, or could not begin. */
    public static RowResult bad(Row row, List<String> faults) {
        return unmeasured(row, faults, "", "");
    }

    private static RowResult unmeasured(Row row, List<String> faults, String notJudged, String skipped) {
        return new RowResult(
                row.name(),
                row.about(),
                faults,
                notJudged,
                skipped,
                0,
                Map.of(),
                0,
                Map.of(),
                Map.of(),
                null,
                List.of(),
                Map.of());
    }

    /** This result with other faults, all else as it is. */
    public RowResult with(List<String> otherFaults) {
        return new RowResult(
                name,
                about,
                List.copyOf(otherFaults),
                notJudged,
                skipped,
                seconds,
                ends,
                recoverySeconds,
                amount,
                added,
                wander,
                namings,
                told);
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

    /** The state with its reasons, but for the excerpts of logs that follow some. */
    public String verdict() {
        String all = reasons().stream()
                .map(reason -> reason.lines().findFirst().orElse(""))
                .collect(Collectors.joining("; "));
        return state().label() + (all.isEmpty() ? "" : ": " + all);
    }
}
