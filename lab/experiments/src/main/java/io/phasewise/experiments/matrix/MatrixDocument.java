/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.phasewise.lab.measure.Table;
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
 * @param rows in the order in which they were run
 */
public record MatrixDocument(String started, String command, String machine, List<RowResult> rows) {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Reads what {@link #json} wrote. */
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
                + "Generated from [fault-matrix.json](fault-matrix.json) by `"
                + command
                + "`; not to be edited.\nRun of "
                + started
                + " on "
                + machine
                + ".\n\n"
                + "Every fault is put to three real brokers and a canary that stay up from row to"
                + " row. *Conserved*: probes scheduled = outcomes + in\nflight at the row's end."
                + " *False*: probes counted as delivered of which no latency was recorded."
                + " *Added* is what each phase's mean\ngrew by while the fault lasted, against"
                + " before and after it, in milliseconds; where arithmetic says what was injected,"
                + " 90 % of\nwhat was added must be in the right phase. *Recovery* is from the"
                + " mending until the canary is ready and most probes are good.\n\n"
                + verdicts()
                + "\n## Phases\n\n"
                + phases()
                + "\n## Alerts\n\n"
                + alerts()
                + told()
                + "\n## The canary itself\n\n"
                + canary();
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
                    verdict(row));
        }
        return table.toString();
    }

    private static String verdict(RowResult row) {
        String all = String.join("; ", row.faults());
        if (!row.skipped().isEmpty()) {
            all = all.isEmpty() ? row.skipped() : all + "; " + row.skipped();
        }
        return all.isEmpty() ? "good" : all;
    }

    private String phases() {
        Table table =
                new Table(
                        "fault",
                        "injected",
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
                    row.injected().isEmpty()
                            ? "-"
                            : row.injected().entrySet().stream()
                                    .map(e -> e.getKey() + " " + milliseconds(e.getValue()))
                                    .collect(Collectors.joining(", ")),
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

    private String alerts() {
        Table table = new Table("fault", "fired, seconds after the fault began", "held back");
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
                    String.join(", ", row.inhibited()));
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
                        "threads before",
                        "after",
                        "heap before, MiB",
                        "after",
                        "log lines");
        for (RowResult row : rows) {
            table.row(
                    row.name(),
                    number(row.threadsBefore()),
                    number(row.threadsAfter()),
                    number(row.heapMebibytesBefore()),
                    number(row.heapMebibytesAfter()),
                    number(row.logLines()));
        }
        return table.toString();
    }

    private static String number(long value) {
        return Long.toString(value);
    }

    private static String milliseconds(Double value) {
        return value == null ? "-" : String.format(Locale.ROOT, "%.0f", value);
    }
}
