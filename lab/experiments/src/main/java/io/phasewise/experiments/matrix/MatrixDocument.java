/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.phasewise.common.file.JarResource;
import io.phasewise.common.phase.Phase;
import io.phasewise.lab.measure.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a run of the matrix found, and the document made of it; pure. As JSON it is the run's own
 * memory: rows that are run again take the places of the same ones.
 *
 * @param started when, in UTC
 * @param command that makes it
 * @param machine what it ran on
 * @param circumstances for people: names to values
 * @param rows in the order in which they were first run
 * @param notReached names of rows that were to be run and were not; none of a run that has ended
 * @param again later runs of some rows, for people
 */
public record MatrixDocument(
        String started,
        String command,
        String machine,
        Map<String, String> circumstances,
        List<RowResult> rows,
        List<String> notReached,
        List<String> again) {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

    public MatrixDocument {
        List<String> reached = rows.stream().map(RowResult::name).toList();
        notReached = notReached.stream().filter(name -> !reached.contains(name)).toList();
    }

    /** This one with a row's result. */
    public MatrixDocument with(RowResult result) {
        List<RowResult> more = Stream.concat(rows.stream(), Stream.of(result)).toList();
        return new MatrixDocument(started, command, machine, circumstances, more, notReached, again);
    }

    /** This one with more circumstances, or other ones of the same names. */
    public MatrixDocument with(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(circumstances);
        all.putAll(more);
        return new MatrixDocument(started, command, machine, all, rows, notReached, again);
    }

    /** This one with the rows of a later run in place of its own, and with those it lacks. */
    public MatrixDocument renewedBy(MatrixDocument later) {
        Map<String, RowResult> all = new LinkedHashMap<>();
        Stream.of(rows, later.rows).flatMap(List::stream).forEach(row -> all.put(row.name(), row));
        String run = "Of a later run, of %s (`%s`): %s.".formatted(later.started, later.command, names(later.rows));
        return new MatrixDocument(
                started,
                command,
                machine,
                circumstances,
                List.copyOf(all.values()),
                notReached,
                Stream.concat(again.stream(), Stream.of(run)).toList());
    }

    /**
     * Whether every row was reached and is as declared, but for those that the machine cannot carry
     * out.
     */
    public boolean passed() {
        return notReached.isEmpty()
                && rows.stream()
                        .map(RowResult::state)
                        .allMatch(s -> s == RowResult.State.GOOD || s == RowResult.State.SKIPPED);
    }

    /** How many rows are what, and which are not good, in a line without an end. */
    public String summary() {
        List<String> counts = new ArrayList<>();
        for (RowResult.State state : RowResult.State.values()) {
            List<RowResult> those =
                    rows.stream().filter(row -> row.state() == state).toList();
            boolean named = state != RowResult.State.GOOD && !those.isEmpty();
            counts.add(those.size() + " " + state.label() + (named ? " (" + names(those) + ")" : ""));
        }
        if (!notReached.isEmpty()) {
            counts.add(notReached.size() + " not reached (" + String.join(", ", notReached) + ")");
        }
        return String.join(", ", counts);
    }

    private static String names(List<RowResult> rows) {
        return rows.stream().map(RowResult::name).collect(Collectors.joining(", "));
    }

    /**
     * Reads what {@link #json} wrote.
     *
     * @throws JsonProcessingException when it is something else, also of an earlier version
     */
    public static MatrixDocument read(String json) throws JsonProcessingException {
        return JSON.readValue(json, MatrixDocument.class);
    }

    /** All of it, for the next run. */
    public String json() {
        try {
            return JSON.writeValueAsString(this) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The tables, for people. */
    public String markdown() {
        StringBuilder facts = new StringBuilder();
        again.forEach(run -> facts.append(run).append('\n'));
        circumstances.forEach((name, value) -> facts.append("- " + name + ": " + value + "\n"));
        return JarResource.text(MatrixDocument.class, "page.txt")
                .formatted(
                        command,
                        started,
                        machine,
                        facts,
                        100 * PhaseGrowth.RIGHT_SHARE,
                        summary(),
                        named(),
                        phases(),
                        probes().stripTrailing());
    }

    private String named() {
        Table table = new Table("fault", "alert", "broker named", "right or wrong", "seconds");
        for (RowResult row : rows) {
            String fault = row.name();
            for (RowResult.Naming each : row.namings()) {
                table.row(fault, each.what(), each.who(), each.right().label(), number(each.seconds()));
                fault = "";
            }
        }
        return table.toString();
    }

    private String phases() {
        List<String> labels = Stream.of(Phase.values()).map(Phase::label).toList();
        Table table = new Table("fault", "added by the fault, ms", labels, "wander");
        for (RowResult row : rows) {
            table.row(
                    row.name(),
                    each(row.amount(), " "),
                    labels.stream().map(label -> number(row.added().get(label))).toList(),
                    number(row.wander()));
        }
        return table.toString();
    }

    private static String each(Map<String, Double> values, String between) {
        return values.entrySet().stream()
                .map(each -> each.getKey() + between + number(each.getValue()))
                .collect(Collectors.joining(", "));
    }

    private String probes() {
        List<String> ends = List.of("late", "lost", "send_failed");
        List<String> before = List.of("fault", "what", "seconds", "probes");
        List<String> counted = List.of("late", "lost", "not sent");
        List<String> after = List.of("recovery, s", "brokers told, ms", "verdict");
        Table table = new Table(before, counted, after);
        for (RowResult row : rows) {
            boolean run = !row.ends().isEmpty();
            table.row(
                    row.name(),
                    row.about(),
                    run ? number(row.seconds()) : "-",
                    row.ends().values().stream().mapToLong(n -> n).sum(),
                    ends.stream().map(end -> row.ends().getOrDefault(end, 0L)).toList(),
                    run ? number(row.recoverySeconds()) : "-",
                    each(row.told(), ": "),
                    row.verdict());
        }
        return table.toString();
    }

    private static String number(Double value) {
        return value == null ? "-" : String.format(Locale.ROOT, "%.0f", value);
    }
}
