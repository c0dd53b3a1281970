/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.measure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one run of a long test showed, as a file of {@code docs/evidence/runs}. Red runs are kept
 * like passed ones. The tables of the pages are made of all runs.
 *
 * @param started day or instant in UTC, as far as it is known; in files that tests write, when
 *     the run ended
 * @param commit of the sources; "unknown" when it was not noted
 * @param command that runs it again
 * @param machine what it ran on
 * @param verdict begins with one of {@link #VERDICTS}
 * @param notes remarks on this run, each one or more sentences
 * @param columns headings of the rows
 * @param rows the figures; empty when they were not kept
 */
public record EvidenceRun(
        String started,
        String commit,
        String command,
        String machine,
        String verdict,
        List<String> notes,
        List<String> columns,
        List<List<String>> rows) {
    /** The verdicts on a run. */
    static final List<String> VERDICTS = List.of("passed", "red", "broken off", "some rows red");

    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

    /**
     * Checks verdict and rows, on which the pages rely.
     *
     * @throws IllegalArgumentException when the verdict is not one of these, or a row has more
     *     or fewer cells than there are headings
     */
    public EvidenceRun {
        String said = verdict;
        if (VERDICTS.stream().noneMatch(said::startsWith)) {
            throw new IllegalArgumentException("verdict: " + said + "; allowed: " + VERDICTS + ", and more behind it");
        }
        for (List<String> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException("a row of " + row.size() + " cells below " + columns + ": " + row);
            }
        }
    }

    /**
     * A run that ends now, on this machine.
     *
     * @param checkout a directory in the repository
     */
    public static EvidenceRun now(
            Path checkout,
            String command,
            boolean passed,
            List<String> notes,
            List<String> columns,
            List<List<String>> rows)
            throws InterruptedException {
        String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        String verdict = passed ? "passed" : "red";
        return new EvidenceRun(
                started, Checkout.commit(checkout), command, Machine.describe(), verdict, notes, columns, rows);
    }

    /**
     * Reads what {@link #json} wrote.
     *
     * @throws JsonProcessingException when it is something else
     */
    public static EvidenceRun read(String json) throws JsonProcessingException {
        return JSON.readValue(json, EvidenceRun.class);
    }

    /**
     * All runs of one test, in the order of their files' names.
     *
     * @param name of the test, which their files' names end with
     * @throws IOException when one cannot be read; the message names the file
     */
    public static List<EvidenceRun> all(Path directory, String name) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(file -> file.getFileName().toString().endsWith("-" + name + ".json"))
                    .sorted()
                    .toList();
        }
        List<EvidenceRun> runs = new ArrayList<>();
        for (Path file : files) {
            try {
                runs.add(read(Files.readString(file)));
            } catch (JsonProcessingException e) {
                throw new IOException(file + ": " + e.getOriginalMessage(), e);
            }
        }
        return runs;
    }

    /** The run as JSON, with a line break at the end. */
    public String json() {
        try {
            return JSON.writeValueAsString(this) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Writes the run as a file of its own. Copy it to {@code docs/evidence/runs} and commit it.
     *
     * @param directory is created when absent
     * @param name of the test, for example {@code mark-faults}
     * @return the file
     */
    public Path write(Path directory, String name) throws IOException {
        Path file = directory.resolve(started.replace(":", "") + "-" + name + ".json");
        Files.createDirectories(directory);
        return Files.writeString(file, json());
    }

    /** A table of all runs without their figures, the last run first. */
    public static String table(List<EvidenceRun> runs) {
        StringBuilder table = new StringBuilder("| run | of commit | on | verdict | notes |\n|---|---|---|---|---|\n");
        for (EvidenceRun run : newestFirst(runs)) {
            String notes = String.join(" ", run.notes);
            table.append(line(List.of(run.started, run.commit, run.machine, run.verdict, notes)));
        }
        return table.toString();
    }

    /** All runs as a page shows them: the last one first, the figures of the others folded. */
    public static String markdown(List<EvidenceRun> runs) {
        List<EvidenceRun> newestFirst = newestFirst(runs);
        StringBuilder page = new StringBuilder();
        page.append("| run | verdict |\n|---|---|\n");
        newestFirst.forEach(run -> page.append(line(List.of(run.started, run.verdict))));
        for (int i = 0; i < newestFirst.size(); i++) {
            newestFirst.get(i).show(page, i == 0);
        }
        return page.toString();
    }

    private static List<EvidenceRun> newestFirst(List<EvidenceRun> runs) {
        List<EvidenceRun> reversed = new ArrayList<>(runs);
        Collections.reverse(reversed);
        return reversed;
    }

    private void show(StringBuilder page, boolean open) {
        page.append("%n**%s: %s**. `%s` of commit %s, on %s%n".formatted(started, verdict, command, commit, machine));
        if (!notes.isEmpty()) {
            page.append('\n');
            notes.forEach(note -> page.append("- ").append(note).append('\n'));
        }
        if (!rows.isEmpty()) {
            page.append(open ? "\n" : "\n<details><summary>Figures</summary>\n\n");
            page.append(line(columns))
                    .append("|")
                    .append("---|".repeat(columns.size()))
                    .append('\n');
            rows.forEach(row -> page.append(line(row)));
            page.append(open ? "" : "\n</details>\n");
        }
    }

    private static String line(List<String> cells) {
        return cells.stream()
                .map(cell -> " " + cell.replace("|", "\\|") + " ")
                .collect(Collectors.joining("|", "|", "|\n"));
    }
}
