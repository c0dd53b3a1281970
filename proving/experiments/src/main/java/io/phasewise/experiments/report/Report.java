/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import io.phasewise.common.file.JarResource;
import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
import io.phasewise.experiments.run.Turn;
import io.phasewise.experiments.statistics.Comparer;
import io.phasewise.experiments.statistics.Comparison;
import io.phasewise.experiments.statistics.Difference;
import io.phasewise.experiments.statistics.Latencies;
import io.phasewise.experiments.statistics.Summary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Computes the figures of a result and writes them: Markdown with a chart for people, and every
 * probe as CSV for programs. The tables are left to {@link Tables}.
 */
public final class Report {
    private static final int DEALS = 999;

    private final Result result;
    private final List<Summary> summaries;
    private final List<Comparison> comparisons;
    private final Tables tables;

    public Report(Result result) {
        this.result = result;
        Pace pace = result.pace();
        Comparer comparer = new Comparer(pace.block(), pace.seed(), DEALS);
        summaries = result.plan().variants().stream()
                .map(variant -> comparer.summary(result.turnsOf(variant.name())))
                .toList();
        comparisons = new ArrayList<>();
        for (Plan.Pair pair : result.plan().pairs()) {
            List<Turn> baseline = result.turnsOf(pair.baseline());
            comparisons.add(comparer.compare(baseline, result.turnsOf(pair.treatment())));
        }
        tables = new Tables(summaries, comparisons, result.experiment().breaksBrokers());
    }

    /**
     * Writes the files; they replace those of an earlier run.
     *
     * @param directory must exist
     * @return the files
     * @throws IOException when one cannot be written
     */
    public List<Path> write(Path directory) throws IOException {
        Path file = directory.resolve(result.experiment().name());
        return List.of(
                Files.writeString(Path.of(file + ".md"), page()), Files.writeString(Path.of(file + ".csv"), probes()));
    }

    /** All tables, for a terminal. */
    public String tables() {
        return tables.text("");
    }

    private String page() {
        String name = result.experiment().name();
        List<String> facts = new ArrayList<>();
        result.circumstances().forEach((what, value) -> facts.add(what + ": " + value));
        for (Variant each : result.plan().variants()) {
            each.faults().forEach(fault -> facts.add(each.name() + ": " + fault));
        }
        return JarResource.text(Report.class, "page.txt")
                .formatted(
                        name,
                        result.experiment().question(),
                        result.experiment().expected(),
                        result.command(),
                        result.started(),
                        method(),
                        String.join("\n- ", facts),
                        tables.text(PhaseChart.of(summaries)).stripTrailing());
    }

    /** Says how it was measured, and when a difference is claimed. */
    private String method() {
        Pace pace = result.pace();
        return JarResource.text(Report.class, "method.txt")
                .strip()
                .formatted(
                        pace.repeats(),
                        pace.measured().toSeconds(),
                        pace.warmUp().toSeconds(),
                        pace.block().toMillis() / 1e3,
                        100 * (1 - Difference.ERROR / Difference.LOOKS),
                        100 * (1 - Difference.ERROR),
                        Difference.LEVEL,
                        100 * Difference.ERROR,
                        comparisons.size(),
                        Latencies.needed(0.99),
                        100 * Difference.MOST_MISSING);
    }

    /** Every probe as CSV; a cell is empty where the probe did not come back. */
    private String probes() {
        StringBuilder csv = new StringBuilder("variant,repeat,leader,due,stalled,acknowledged_ms,end_to_end_ms");
        for (Phase phase : Phase.values()) {
            csv.append(',').append(phase.label()).append("_ms");
        }
        for (Turn turn : result.turns()) {
            for (ProbeRecord probe : turn.probes()) {
                csv.append("\n\"%s\",%d,%d,%s,%b"
                        .formatted(turn.variant(), turn.repeat() + 1, probe.leader(), probe.due(), probe.stalled()));
                DoubleStream whole = DoubleStream.of(probe.acknowledged(), probe.endToEnd());
                DoubleStream.concat(whole, Arrays.stream(probe.phases()))
                        .mapToObj(Report::cell)
                        .forEach(csv::append);
            }
        }
        return csv.append('\n').toString();
    }

    private static String cell(double milliseconds) {
        return Double.isFinite(milliseconds) ? String.format(Locale.ROOT, ",%.3f", milliseconds) : ",";
    }
}
