/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.phasewise.experiments.matrix.page.MatrixRuns;
import io.phasewise.experiments.matrix.row.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What one run of the matrix found, as one file; pure. It is never changed by a later run: {@link
 * MatrixRuns} makes the page of all of them.
 *
 * @param started when, in UTC
 * @param command that makes it
 * @param machine what it ran on
 * @param circumstances for people: names to values
 * @param notes what else is to be said of it, for people
 * @param declarations by the name of a row: its file as it was when the run began
 * @param rows in the order in which they were run
 * @param notReached names of rows that were to be run and were not; none of a run that has ended
 * @param notKept names of rows that were run and whose results nobody kept
 */
public record MatrixDocument(
        String started,
        String command,
        String machine,
        Map<String, String> circumstances,
        List<String> notes,
        Map<String, String> declarations,
        List<RowResult> rows,
        List<String> notReached,
        List<String> notKept) {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

    public MatrixDocument {
        List<String> reached = rows.stream().map(RowResult::name).toList();
        notReached = notReached.stream().filter(name -> !reached.contains(name)).toList();
    }

    /** One that begins, of these rows. */
    public static MatrixDocument begun(
            String started, String command, String machine, Map<String, String> circumstances, List<Row> rows) {
        Map<String, String> declarations = new LinkedHashMap<>();
        rows.forEach(row -> declarations.put(row.name(), Row.text(row.name())));
        List<String> names = rows.stream().map(Row::name).toList();
        return new MatrixDocument(
                started, command, machine, circumstances, List.of(), declarations, List.of(), names, List.of());
    }

    /** This one with a row's result. */
    public MatrixDocument with(RowResult result) {
        List<RowResult> more = Stream.concat(rows.stream(), Stream.of(result)).toList();
        return new MatrixDocument(
                started, command, machine, circumstances, notes, declarations, more, notReached, notKept);
    }

    /** This one with more circumstances, or other ones of the same names. */
    public MatrixDocument with(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(circumstances);
        all.putAll(more);
        return new MatrixDocument(started, command, machine, all, notes, declarations, rows, notReached, notKept);
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
        return summary(rows, notReached);
    }

    public static String summary(List<RowResult> rows, List<String> notReached) {
        List<String> counts = new ArrayList<>();
        for (RowResult.State state : RowResult.State.values()) {
            List<String> those = rows.stream()
                    .filter(row -> row.state() == state)
                    .map(RowResult::name)
                    .toList();
            boolean named = state != RowResult.State.GOOD && !those.isEmpty();
            counts.add(those.size() + " " + state.label() + (named ? " (" + String.join(", ", those) + ")" : ""));
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

    /** All of it, for the next run. */
    public String json() {
        try {
            return JSON.writeValueAsString(this) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
