/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import io.phasewise.common.cli.OptionCheck;
import io.phasewise.common.cli.UsageException;
import io.phasewise.experiments.cluster.ClusterSpec;
import io.phasewise.experiments.matrix.page.MatrixRuns;
import io.phasewise.experiments.matrix.result.MatrixRun;
import io.phasewise.experiments.matrix.result.RowResult;
import io.phasewise.experiments.matrix.row.Row;
import io.phasewise.experiments.matrix.run.MatrixRunner;
import io.phasewise.experiments.matrix.run.RowRunner;
import io.phasewise.experiments.matrix.scene.Scene;
import io.phasewise.experiments.run.Build;
import io.phasewise.lab.measure.Machine;
import io.phasewise.lab.measure.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs rows of the fault matrix and writes run and page. */
@Command(
        name = "matrix",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Break three brokers, the canary and Prometheus, one fault after another, and report the effect of each.",
            "",
            "The expected effect of a fault is declared in a file of its own, before the run. All"
                    + " rows take about three hours, with --short two: a row that must name the"
                    + " network or the canary waits until the canary has run for 20 minutes."
                    + " Progress is on standard error.",
            "",
            "Each run is a file of its own, written to runs/ of --out after every row. The page"
                    + " fault-matrix.md is made of all runs that are there. No run replaces another.",
            "",
            "The exit status is 1 when a row is not as declared, or when the machine was too busy"
                    + " to judge it. A row that this machine cannot run is skipped.",
        })
final class MatrixCommand implements Callable<Integer> {
    private final Path root;
    private final BooleanSupplier interrupted;

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"--row", "--only"},
            paramLabel = "ROW",
            split = ",",
            description = "Run only these rows, separated by commas.")
    private List<String> only = List.of();

    @Option(
            names = "--short",
            description = "Shorter faults, for one row or a few. Alerts that need minutes do not fire.")
    private boolean brief;

    @Option(
            names = "--plain",
            paramLabel = "SECONDS",
            description = "Time without a fault, before and after each fault (${DEFAULT-VALUE}).")
    private int plain = 20;

    @Mixin
    private OutOption out;

    MatrixCommand(Path root, BooleanSupplier interrupted) {
        this.root = root;
        this.interrupted = interrupted;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        OptionCheck check = new OptionCheck().within("--plain", plain, 2, 600);
        List<Row> rows = rows(check);
        check.done();
        out.make();
        checkEarlierRuns();
        MatrixProgress progress = new MatrixProgress(
                out,
                MatrixRun.begun(
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                        Main.command(spec),
                        Machine.describe(),
                        Build.circumstances(root),
                        rows));
        try (Scratch scratch = Scratch.create()) {
            new MatrixRunner(
                            row -> row.obstacle(scratch.directory()),
                            cluster -> open(cluster, scratch.directory(), progress),
                            interrupted,
                            this::say,
                            result -> keep(result, progress))
                    .run(rows);
        }
        progress.write();
        spec.commandLine().getOut().println("The page of all runs: " + out.resolve("fault-matrix.md"));
        say(progress.run().summary());
        return progress.run().passed() ? 0 : 1;
    }

    private void keep(RowResult result, MatrixProgress progress) {
        progress.add(result);
        say("      " + result.name() + ": " + result.state().label());
        result.reasons().forEach(reason -> say("      " + reason));
    }

    private MatrixRunner.Stage open(ClusterSpec cluster, Path scratch, MatrixProgress progress)
            throws IOException, InterruptedException {
        Path directory = Files.createDirectories(scratch.resolve(cluster.label()));
        say("starting " + cluster.label() + ", two canaries, Prometheus, Alertmanager");
        Scene scene = Scene.start(root, directory, cluster);
        progress.setUp(scene.versions());
        return new RowRunner(scene, Duration.ofSeconds(plain), !brief);
    }

    /** Reads the runs in --out at the start: otherwise the page might fail after hours. */
    private void checkEarlierRuns() {
        try {
            MatrixRuns.read(out.resolve("runs"));
        } catch (IOException e) {
            throw new UsageException("--out: " + e.getMessage() + "; allowed: files of this command");
        }
    }

    private List<Row> rows(OptionCheck check) {
        List<Row> all = Row.all();
        List<String> names = all.stream().map(Row::name).toList();
        for (String name : only) {
            check.holds(names.contains(name), "--row: no row " + name + "; allowed: " + String.join(", ", names));
        }
        return only.isEmpty()
                ? all
                : all.stream().filter(r -> only.contains(r.name())).toList();
    }

    private void say(String line) {
        spec.commandLine().getErr().println(line);
    }
}
