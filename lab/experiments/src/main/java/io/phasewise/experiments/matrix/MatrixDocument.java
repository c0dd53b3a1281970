/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.phasewise.lab.measure.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The matrix as JSON and the document made of it; pure.
 *
 * @param started when, in UTC
 * @param command that makes it
 * @param machine what it ran on
 * @param setup of brokers, canary and what watches them
 * @param rows in the order in which they were first run
 * @param notReached names of rows that were to be run and were not; none of a run that has ended
 * @param again later runs of some rows, in place of which theirs are shown
 */
public record MatrixDocument(
        String started,
        String command,
        String machine,
        Setup setup,
        List<RowResult> rows,
        List<String> notReached,
        List<Again> again) {
    private static final ObjectMapper JSON =
            new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

    /**
     * A run of one or some rows.
     *
     * @param started when, in UTC
     * @param command that makes it
     * @param setup as the document's
     * @param rows by name
     */
    public record Again(String started, String command, Setup setup, List<String> rows) {}

    /** This one with a row's result. */
    public MatrixDocument with(RowResult result) {
        List<RowResult> more = new ArrayList<>(rows);
        more.add(result);
        return new MatrixDocument(
                started,
                command,
                machine,
                setup,
                List.copyOf(more),
                notReached.stream().filter(name -> !name.equals(result.name())).toList(),
                again);
    }

    /** This one of another setup. */
    public MatrixDocument with(Setup other) {
        return new MatrixDocument(started, command, machine, other, rows, notReached, again);
    }

    /** This one with the rows of a later run in place of its own, and with those it lacks. */
    public MatrixDocument renewedBy(MatrixDocument later) {
        Map<String, RowResult> all = new LinkedHashMap<>();
        rows.forEach(row -> all.put(row.name(), row));
        later.rows.forEach(row -> all.put(row.name(), row));
        List<Again> runs = new ArrayList<>(again);
        runs.add(
                new Again(
                        later.started,
                        later.command,
                        later.setup,
                        later.rows.stream().map(RowResult::name).toList()));
        return new MatrixDocument(
                started,
                command,
                machine,
                setup,
                List.copyOf(all.values()),
                notReached.stream().filter(name -> !all.containsKey(name)).toList(),
                runs);
    }

    /**
     * Whether every row was reached and is as it must be, but for those that the machine cannot
     * carry out.
     */
    public boolean passed() {
        return notReached.isEmpty()
                && rows.stream()
                        .map(RowResult::state)
                        .allMatch(s -> s == RowResult.State.GOOD || s == RowResult.State.SKIPPED);
    }

    /**
     * Whether a row was measured without alerts where they are watched now, or the other way round;
     * rows that were not measured do not count.
     */
    public boolean measuredOtherwise(boolean alertsWatched) {
        return rows.stream()
                .anyMatch(row -> row.scheduled() > 0 && row.alertsWatched() != alertsWatched);
    }

    /** The {@link #summary} with what it asks of people. */
    public String conclusion() {
        boolean unknown = rows.stream().anyMatch(row -> row.state() == RowResult.State.NOT_JUDGED);
        return summary()
                + (unknown
                        ? "; what was not judged is no pass: run it again on a quieter machine"
                        : "");
    }

    /** How many rows are what, and which are not good, in a line without an end. */
    public String summary() {
        List<String> counts = new ArrayList<>();
        for (RowResult.State state : RowResult.State.values()) {
            List<String> names =
                    rows.stream().filter(row -> row.state() == state).map(RowResult::name).toList();
            boolean named = state != RowResult.State.GOOD && !names.isEmpty();
            counts.add(
                    names.size()
                            + " "
                            + state.label()
                            + (named ? " (" + String.join(", ", names) + ")" : ""));
        }
        if (!notReached.isEmpty()) {
            counts.add(notReached.size() + " not reached (" + String.join(", ", notReached) + ")");
        }
        return String.join(", ", counts);
    }

    /**
     * Reads what {@link #json} wrote.
     *
     * @throws JsonProcessingException when it is something else, also of an earlier version
     */
    public static MatrixDocument read(String json) throws JsonProcessingException {
        return JSON.readValue(json, MatrixDocument.class);
    }

    /** All of it, for programs. */
    public String json() {
        try {
            return JSON.writeValueAsString(this) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The tables, for people. */
    public String markdown() {
        return "# Fault matrix\n\n"
                + "Generated by `"
                + command
                + "`; not to be edited.\nRun of "
                + started
                + " on "
                + machine
                + ".\n"
                + said(setup)
                + again.stream().map(MatrixDocument::said).collect(Collectors.joining())
                + "\n"
                + rules()
                + summary()
                + ".\n\n"
                + verdicts()
                + "\n## Phases\n\n"
                + phases()
                + "\n## Alerts\n\n"
                + alerts()
                + told()
                + "\n## The canary itself\n\n"
                + canary();
    }

    private static String rules() {
        return String.format(
                Locale.ROOT,
                "Every fault is put to three real brokers and a canary that stay up from row to"
                    + " row.%n%n- *Conserved*: probes scheduled = outcomes + in flight at the row's"
                    + " end. *False*: probes that came back by the canary's account and are not in"
                    + " the topic,%n  which another consumer reads, or of which no latency was"
                    + " recorded.%n- Probes belong to the time at which they were due, whenever"
                    + " they ended, and each is waited for. *While the fault lasted* is from just"
                    + " before it is begun until its%n  mending begins; where arithmetic says what"
                    + " was injected, from when it is in force. *Before* and *after* are stretches"
                    + " without a fault, the latter once probes are as%n  good as before.%n-"
                    + " *Added* is what each phase's mean grew by while the fault lasted, against"
                    + " the mean of before and after, in milliseconds; *wander* is how far that"
                    + " mean may be%n  off: half of what before and after differ by. Where"
                    + " arithmetic says what was injected, all phases together must have grown by"
                    + " %.2f to %.2f of it, and %.0f %% of what%n  was added, up or down, must lie"
                    + " in the right phase, the wander allowed for; with more wander than %.0f %%"
                    + " of what was injected a row is not judged. In no row may%n  probes have"
                    + " taken less time by as much as is felt.%n- *Felt* is a fault when probes of"
                    + " the leaders that it is about, due while it lasted, took longer by %.0f ms"
                    + " (or by as much as they take without it, where that is less)%n  and by more"
                    + " than before and after differ, or when more of them were late, lost or not"
                    + " sent than the share of before explains:%n  by %d probes and by %.0f %% of"
                    + " them at least. Faults without an amount must be felt, but for those that"
                    + " must lose no probe.%n- *Recovery* is from the beginning of the mending"
                    + " until, for %d s, every leader has probes and %.0f %% of the share of before"
                    + " is delivered within the SLO target.%n- Alerts are a row's own when they"
                    + " were neither pending nor firing nor held back before it (*stood before*). A"
                    + " row fails without those that it must raise and%n  with those that name"
                    + " another cause; where probes must not suffer, with any.%n- The canary's"
                    + " process must be alive at a row's end, and may have %d more threads beside"
                    + " those of its lanes. Its heap is shown and not judged: what is in%n  use"
                    + " between two collections does not tell a leak, which takes the hours of a"
                    + " soak.%n- A row is *bad* when anything is not as it must be; *not judged*"
                    + " when it could not be told, which is no pass; *skipped* when this machine"
                    + " cannot carry it out.%n%n",
                Verdict.LEAST_FOUND,
                Verdict.MOST_FOUND,
                100 * Verdict.RIGHT_SHARE,
                100 * Verdict.MOST_WANDER,
                Verdict.MOVES_MS,
                Effects.FELT_PROBES,
                100 * Effects.FELT_SHARE,
                Fates.RECOVERED_FOR.toSeconds(),
                100 * Fates.AS_BEFORE,
                Judgement.MORE_THREADS);
    }

    private static String said(Again run) {
        return "In place of what that run said of "
                + String.join(", ", run.rows())
                + ": a run of "
                + run.started()
                + " (`"
                + run.command()
                + "`).\n"
                + said(run.setup());
    }

    /** Nothing where none was recorded. */
    private static String said(Setup setup) {
        return setup.line().isEmpty() ? "" : "With " + setup.line() + ".\n";
    }

    private String verdicts() {
        Table table =
                new Table(
                        "fault",
                        "what",
                        "probes",
                        "late",
                        "lost",
                        "not sent",
                        "conserved",
                        "false",
                        "duplicates",
                        "recovery",
                        "verdict");
        for (RowResult row : rows) {
            boolean run = row.scheduled() > 0;
            table.row(
                    row.name(),
                    row.about(),
                    number(row.scheduled()),
                    number(row.outcomes().getOrDefault("late", 0L)),
                    number(row.outcomes().getOrDefault("lost", 0L)),
                    number(row.outcomes().getOrDefault("send_failed", 0L)),
                    !run
                            ? "-"
                            : row.faults().stream().anyMatch(f -> f.contains("scheduled"))
                                    ? "no"
                                    : "yes",
                    number(row.falseDeliveries()),
                    number(row.duplicates()),
                    run ? String.format(Locale.ROOT, "%.0f s", row.recoverySeconds()) : "-",
                    row.verdict());
        }
        return table.toString();
    }

    private String phases() {
        Table table =
                new Table(
                        "fault",
                        "lasted",
                        "late or gone",
                        "injected",
                        "found",
                        "in the right phase",
                        "wander",
                        "produce",
                        "publish",
                        "commit",
                        "catch_up",
                        "fetch",
                        "touched by the canary's own stall",
                        "clock steps");
        for (RowResult row : rows) {
            Map<String, Double> added = new LinkedHashMap<>(row.added());
            table.row(
                    row.name(),
                    row.window().isEmpty()
                            ? "-"
                            : String.format(Locale.ROOT, "%.0f s", row.windowSeconds()),
                    gone(row.window()),
                    row.injected().isEmpty()
                            ? "-"
                            : row.injected().entrySet().stream()
                                    .map(e -> e.getKey() + " " + milliseconds(e.getValue()))
                                    .collect(Collectors.joining(", ")),
                    row.injected().isEmpty() ? "-" : percent(found(row)),
                    row.injected().isEmpty()
                            ? "-"
                            : percent(Verdict.rightShare(added, row.injected().keySet())),
                    milliseconds(row.wander()),
                    milliseconds(added.get("produce")),
                    milliseconds(added.get("publish")),
                    milliseconds(added.get("commit")),
                    milliseconds(added.get("catch_up")),
                    milliseconds(added.get("fetch")),
                    number(row.stalled()),
                    number(row.clockSteps()));
        }
        return table.toString();
    }

    /** Of the probes that were due while the fault lasted. */
    private static String gone(Map<String, Long> window) {
        long all = window.values().stream().mapToLong(Long::longValue).sum();
        return window.isEmpty() ? "-" : all - window.getOrDefault("delivered", 0L) + " of " + all;
    }

    /** What all phases grew by, of what was injected. */
    private static double found(RowResult row) {
        return sum(row.added()) / sum(row.injected());
    }

    private static double sum(Map<String, Double> phases) {
        return phases.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }

    private String alerts() {
        Table table =
                new Table(
                        "fault",
                        "fired, seconds after the fault began",
                        "held back",
                        "stood before");
        for (RowResult row : rows) {
            String fired =
                    row.alerts().entrySet().stream()
                            .map(
                                    e ->
                                            String.format(
                                                    Locale.ROOT,
                                                    "%s %.0f",
                                                    e.getKey(),
                                                    e.getValue()))
                            .collect(Collectors.joining(", "));
            table.row(
                    row.name(),
                    !row.alertsWatched() ? "not watched" : fired.isEmpty() ? "none" : fired,
                    String.join(", ", row.inhibited()),
                    String.join(", ", row.standing()));
        }
        return table.toString();
    }

    /** Nothing where no broker was asked. */
    private String told() {
        Table table = new Table("fault", "mean while it lasted, by the broker's exporter", "ms");
        for (RowResult row : rows) {
            row.told().forEach((what, millis) -> table.row(row.name(), what, milliseconds(millis)));
        }
        return rows.stream().allMatch(row -> row.told().isEmpty())
                ? ""
                : "\n## What brokers told\n\n" + table;
    }

    private String canary() {
        Table table =
                new Table(
                        "fault",
                        "alive",
                        "threads before",
                        "after",
                        "heap before, MiB",
                        "after",
                        "log lines");
        for (RowResult row : rows) {
            CanaryHealth canary = row.canary();
            if (canary == null) {
                table.row(row.name(), "-", "-", "-", "-", "-", "-");
                continue;
            }
            table.row(
                    row.name(),
                    canary.alive() ? "yes" : "no",
                    known(canary.threadsBefore()),
                    known(canary.threadsAfter()),
                    known(canary.heapMebibytesBefore()),
                    known(canary.heapMebibytesAfter()),
                    known(canary.logLines()));
        }
        return table.toString();
    }

    private static String number(long value) {
        return Long.toString(value);
    }

    private static String known(long value) {
        return value < 0 ? "-" : number(value);
    }

    private static String milliseconds(Double value) {
        return value == null ? "-" : String.format(Locale.ROOT, "%.0f", value);
    }
}
