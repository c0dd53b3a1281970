/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.phasewise.experiments.matrix.row.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What one run of the matrix found. Each run is a file of its own, which no later run changes.
 *
 * @param started when, in UTC
 * @param command that runs it again
 * @param machine what it ran on
 * @param circumstances versions, load and the like by name, for people
 * @param notes remarks, for people
 * @param declarations text of each row's file when the run began, by the name of the row
 * @param rows in the order in which they were run
 * @param notReached names of rows that were to be run and were not; empty once a run has ended
 * @param notKept names of rows that were run, but whose results were not kept
 */
public record MatrixRun(
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

    public MatrixRun {
        List<String> reached = rows.stream().map(RowResult::name).toList();
        notReached = notReached.stream().filter(name -> !reached.contains(name)).toList();
    }

    /** A run of these rows that begins now. */
    public static MatrixRun begun(
            String started, String command, String machine, Map<String, String> circumstances, List<Row> rows) {
        Map<String, String> declarations = new LinkedHashMap<>();
        rows.forEach(row -> declarations.put(row.name(), Row.text(row.name())));
        List<String> names = rows.stream().map(Row::name).toList();
        return new MatrixRun(
                started, command, machine, circumstances, List.of(), declarations, List.of(), names, List.of());
    }

    /** This run with one more result. */
    public MatrixRun with(RowResult result) {
        List<RowResult> more = Stream.concat(rows.stream(), Stream.of(result)).toList();
        return new MatrixRun(started, command, machine, circumstances, notes, declarations, more, notReached, notKept);
    }

    /** This run with more circumstances; they replace those of the same names. */
    public MatrixRun with(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(circumstances);
        all.putAll(more);
        return new MatrixRun(started, command, machine, all, notes, declarations, rows, notReached, notKept);
    }

    /**
     * Whether every row was reached, and is good or cannot be run on this machine.
     */
    public boolean passed() {
        return notReached.isEmpty()
                && rows.stream()
                        .map(RowResult::state)
                        .allMatch(s -> s == RowResult.State.GOOD || s == RowResult.State.SKIPPED);
    }

    /**
     * How many rows are good, bad and so on, with the names of those not good; one line without a
     * line break.
     */
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
     * @throws JsonProcessingException when it is something else, also the form of an earlier
     *     version
     */
    public static MatrixRun read(String json) throws JsonProcessingException {
        return JSON.readValue(json, MatrixRun.class);
    }

    /** The whole run as JSON, with a line break at the end. */
    public String json() {
        try {
            return JSON.writeValueAsString(this) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
