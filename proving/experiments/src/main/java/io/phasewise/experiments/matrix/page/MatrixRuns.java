/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.common.file.JarResource;
import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.matrix.judgement.Judgement;
import io.phasewise.experiments.matrix.judgement.PhaseGrowth;
import io.phasewise.experiments.matrix.result.MatrixRun;
import io.phasewise.experiments.matrix.result.RowResult;
import io.phasewise.lab.measure.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All runs of the matrix that were kept, and the page made of them: every attempt of every row, and
 * what the last attempt showed. Each run is one file; no run replaces another.
 *
 * @param all in the order in which they began
 * @param changed declarations that were changed after a run
 */
public record MatrixRuns(List<MatrixRun> all, List<ChangedDeclaration> changed) {
    private static final String RUN = "-fault-matrix.json";
    private static final String CHANGED = "changed-declarations.json";

    /**
     * A change of what must be seen of a row, made after a run of it.
     *
     * @param day in UTC
     * @param commit of the change
     * @param row its name
     * @param verdict of the run before, by the old declaration
     * @param was what was declared
     * @param now what is declared instead
     * @param reason of the change
     */
    public record ChangedDeclaration(
            String day, String commit, String row, String verdict, String was, String now, String reason) {}

    /** A row's result in one run; the result is null where it was not kept. */
    private record Attempt(MatrixRun run, RowResult result) {}

    /**
     * Reads all runs of a directory.
     *
     * @param directory may be absent; then there is no run
     * @throws IOException when a file cannot be read, or is no run; names the file
     */
    public static MatrixRuns read(Path directory) throws IOException {
        List<MatrixRun> runs = new ArrayList<>();
        for (Path file : files(directory)) {
            try {
                runs.add(MatrixRun.read(Files.readString(file)));
            } catch (JsonProcessingException e) {
                throw new IOException(file + " is no run of the matrix: " + e.getOriginalMessage(), e);
            }
        }
        runs.sort(Comparator.comparing(MatrixRun::started));
        Path changed = directory.resolve(CHANGED);
        return new MatrixRuns(
                List.copyOf(runs),
                Files.isRegularFile(changed)
                        ? new ObjectMapper().readValue(Files.readString(changed), new TypeReference<>() {})
                        : List.of());
    }

    private static List<Path> files(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().endsWith(RUN))
                    .toList();
        }
    }

    /** The name of the file of a run. */
    public static String fileName(MatrixRun run) {
        return run.started().replace(":", "") + RUN;
    }

    /** The last result of each row, judged by today's bounds. */
    public List<RowResult> last() {
        Map<String, RowResult> last = new LinkedHashMap<>();
        all.forEach(run -> run.rows().forEach(row -> last.put(row.name(), Judgement.byTodaysBounds(row))));
        return List.copyOf(last.values());
    }

    /** Names of rows that were to be run, and were in no run. */
    public List<String> notReached() {
        Set<String> names = new LinkedHashSet<>();
        all.forEach(run -> names.addAll(run.notReached()));
        last().forEach(row -> names.remove(row.name()));
        return List.copyOf(names);
    }

    /**
     * Rows whose declaration differs from the one of their last run, while {@code changed} has no
     * change since then.
     *
     * @param today today's declarations, by the name of a row
     */
    List<String> changedInSilence(Map<String, String> today) {
        Map<String, MatrixRun> last = new LinkedHashMap<>();
        all.forEach(run -> run.declarations().keySet().forEach(row -> last.put(row, run)));
        return last.keySet().stream()
                .filter(today::containsKey)
                .filter(row -> !declared(last.get(row).declarations().get(row)).equals(declared(today.get(row))))
                .filter(row -> changed.stream()
                        .noneMatch(change -> change.row().equals(row)
                                && change.day()
                                                .compareTo(
                                                        last.get(row).started().substring(0, 10))
                                        >= 0))
                .toList();
    }

    /**
     * The page.
     *
     * @param today today's declarations, by the name of a row
     */
    public String markdown(Map<String, String> today) {
        List<RowResult> last = last();
        return JarResource.text(MatrixRuns.class, "page.txt")
                .formatted(
                        100 * PhaseGrowth.RIGHT_SHARE,
                        100 * PhaseGrowth.MOST_SHARE,
                        MatrixRun.summary(last, notReached()),
                        attempts(today),
                        changes(),
                        named(last),
                        former(last),
                        phases(last),
                        probes(last),
                        runs().stripTrailing());
    }

    private String attempts(Map<String, String> today) {
        Map<String, List<Attempt>> attempts = new LinkedHashMap<>();
        for (MatrixRun run : all) {
            run.rows()
                    .forEach(row -> attempts.computeIfAbsent(row.name(), unused -> new ArrayList<>())
                            .add(new Attempt(run, row)));
            run.notKept()
                    .forEach(row -> attempts.computeIfAbsent(row, unused -> new ArrayList<>())
                            .add(new Attempt(run, null)));
        }
        Table table = new Table("fault", "run", "declared", "verdict then", "by today's bounds");
        attempts.forEach((row, tries) -> {
            String fault = row;
            for (Attempt each : tries) {
                String then = each.run().declarations().get(row);
                boolean same = then != null && declared(then).equals(declared(today.getOrDefault(row, "")));
                RowResult result = each.result();
                table.row(
                        fault,
                        each.run().started(),
                        then == null ? "unknown" : same ? "as today" : "otherwise",
                        result == null ? "not kept" : result.verdict(),
                        result == null ? "unknown" : today(result));
                fault = "";
            }
        });
        return table.toString();
    }

    private static String today(RowResult result) {
        String now = Judgement.byTodaysBounds(result).verdict();
        return now.equals(result.verdict()) ? "the same" : now;
    }

    /** A declaration without its comments. */
    private static List<String> declared(String text) {
        return text.lines().filter(line -> !line.strip().startsWith("#")).toList();
    }

    private String changes() {
        Table table = new Table("fault", "changed on", "in commit", "verdict before", "was", "is", "reason");
        changed.forEach(each -> table.row(
                each.row(), each.day(), each.commit(), each.verdict(), each.was(), each.now(), each.reason()));
        return table.toString();
    }

    private String runs() {
        StringBuilder text = new StringBuilder();
        for (MatrixRun run : all) {
            text.append("**%s**: `%s` of commit %s, on %s: %s.%n%n"
                    .formatted(
                            run.started(),
                            run.command(),
                            run.circumstances().getOrDefault("Phasewise", "unknown"),
                            run.machine(),
                            run.summary()));
            run.notes().forEach(note -> text.append("- ").append(note).append('\n'));
            run.circumstances().forEach((name, value) -> text.append("- " + name + ": " + value + "\n"));
            text.append('\n');
        }
        return text.toString();
    }

    private static String named(List<RowResult> rows) {
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

    /** Rows in which the canary names other brokers and roles than the rules of before. */
    private static String former(List<RowResult> rows) {
        Table table = new Table("fault", "the canary", "the rules of before");
        List<RowResult> both = rows.stream()
                .filter(row -> !whom(row, RowResult.FORMER_SUSPECT).isEmpty())
                .toList();
        for (RowResult row : both) {
            Set<String> now = whom(row, RowResult.SUSPECT);
            Set<String> before = whom(row, RowResult.FORMER_SUSPECT);
            if (!now.equals(before)) {
                table.row(row.name(), String.join(", ", now), String.join(", ", before));
            }
        }
        return "Both were recorded in %d of these attempts.\n\n%s".formatted(both.size(), table);
    }

    /** Brokers and roles, whatever the phase. */
    private static Set<String> whom(RowResult row, String what) {
        return row.namings().stream()
                .filter(naming -> naming.what().equals(what))
                .map(naming -> naming.who().split("/", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String phases(List<RowResult> rows) {
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

    private static String probes(List<RowResult> rows) {
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
                    each(row.brokerMeans(), ": "),
                    row.verdict());
        }
        return table.toString();
    }

    private static String number(Double value) {
        return value == null ? "-" : String.format(Locale.ROOT, "%.0f", value);
    }
}
