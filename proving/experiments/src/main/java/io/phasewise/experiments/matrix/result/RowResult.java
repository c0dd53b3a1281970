/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.phasewise.experiments.matrix.row.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one row showed in one run, and the verdict.
 *
 * @param name of the row
 * @param about what was broken
 * @param faults what was not as declared; empty when all was as declared
 * @param notJudged why the row, or a part of it, could not be judged; empty when all was judged
 * @param skipped why this machine cannot run the row; empty when it can
 * @param seconds how long the fault lasted
 * @param ends number of probes due in that time, by outcome (the canary's labels); empty where
 *     the row was not run
 * @param recoverySeconds from the beginning of the mending until probes were as good as before;
 *     -1 when that took too long
 * @param amount milliseconds that the fault added to a probe, by the phase that they belong to;
 *     empty where they are not known
 * @param added milliseconds by which each phase's mean grew, against the mean of before and
 *     after; empty where most probes did not come back
 * @param wander milliseconds by which the mean without the fault may be wrong, as the machine
 *     changes; null where not known
 * @param namings what suspects and alerts named, and when
 * @param brokerMeans means that a broker's metrics showed while the fault lasted, milliseconds;
 *     by what they are of
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
        @JsonProperty("told") Map<String, Double> brokerMeans) {
    public static final String CANARY_ENDED = "the canary has ended";

    /** What a {@link Naming} is of: the canary's own. */
    public static final String SUSPECT = "suspect";

    /** The same of the rules that named before the canary did. Runs of before 2026-11-29 have it under the name of the other. */
    public static final String FORMER_SUSPECT = "suspect (rules of before)";

    /** Who is named where nobody is. */
    public static final String NOBODY = "nobody";

    /** Whether what was named is declared. */
    public enum Right {
        RIGHT("right"),
        /** The broker is declared, the role is not. */
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
     * A suspect or an alert that appeared.
     *
     * @param what suspect, or the name of the alert
     * @param who broker, role and phase, for people
     * @param seconds after the fault began; null where nobody was named
     */
    public record Naming(String what, String who, Right right, Double seconds) {}

    /** The verdict in a word. */
    public enum State {
        GOOD,
        BAD,
        /** It might be good; nobody knows. */
        NOT_JUDGED,
        /** This machine cannot run it. */
        SKIPPED;

        /** For people. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** Of a row that this machine cannot run. */
    public static RowResult skipped(Row row, String why) {
        return unmeasured(row, List.of(), "", why);
    }

    /** Of a row that this machine could have run, and did not. */
    public static RowResult notJudged(Row row, String why) {
        return unmeasured(row, List.of(), why, "");
    }

    /** Of a row that broke off before it could be judged, or could not begin. */
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
                brokerMeans);
    }

    /** The verdict. A row with a fault is bad, also where something else could not be judged. */
    public State state() {
        if (!faults.isEmpty()) {
            return State.BAD;
        }
        if (!notJudged.isEmpty()) {
            return State.NOT_JUDGED;
        }
        return skipped.isEmpty() ? State.GOOD : State.SKIPPED;
    }

    /** Why it is not good; empty when it is. */
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

    /** The state with the first line of each reason; excerpts of logs may follow that line. */
    public String verdict() {
        String all = reasons().stream()
                .map(reason -> reason.lines().findFirst().orElse(""))
                .collect(Collectors.joining("; "));
        return state().label() + (all.isEmpty() ? "" : ": " + all);
    }
}
