/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.run.Turn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes a result's files: a page for people, JSON and CSV for programs, Markdown for documents.
 */
public final class ReportFiles {
    private final Path directory;

    /**
     * @param directory created when absent
     */
    public ReportFiles(Path directory) {
        this.directory = directory;
    }

    /**
     * Writes all of them, over those of an earlier run.
     *
     * @return what was written
     * @throws IOException when it cannot be
     */
    public List<Path> write(Result result) throws IOException {
        Files.createDirectories(directory);
        String json = new JsonReport(result).text();
        String name = result.experiment().name();
        List<Path> written = new ArrayList<>();
        written.add(write(name + ".html", new Html(result, json).page()));
        written.add(write(name + ".json", json));
        written.add(write(name + ".md", new TextReport(result).page()));
        written.add(write(name + ".csv", probes(result)));
        return written;
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    /** Without a number where one did not come back. */
    private static String probes(Result result) {
        StringBuilder csv =
                new StringBuilder(
                        "variant,repeat,leader,due,stalled,acknowledged_ms,end_to_end_ms");
        for (Phase phase : Phase.values()) {
            csv.append(',').append(phase.label()).append("_ms");
        }
        csv.append('\n');
        for (Turn turn : result.turns()) {
            for (ProbeRecord probe : turn.probes()) {
                csv.append('"').append(turn.variant()).append("\",").append(turn.repeat() + 1);
                csv.append(',').append(probe.leader()).append(',').append(probe.due());
                csv.append(',').append(probe.stalled()).append(',');
                if (Double.isFinite(probe.acknowledged())) {
                    csv.append(probe.acknowledged());
                }
                csv.append(',');
                if (probe.seen()) {
                    csv.append(probe.endToEnd());
                    for (double phase : probe.phases()) {
                        csv.append(String.format(Locale.ROOT, ",%.3f", phase));
                    }
                } else {
                    csv.append(",".repeat(Phase.values().length));
                }
                csv.append('\n');
            }
        }
        return csv.toString();
    }
}
