/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.phasewise.common.cli.OptionCheck;
import io.phasewise.experiments.cluster.ClusterSpec;
import io.phasewise.experiments.matrix.MatrixDocument;
import io.phasewise.experiments.matrix.MatrixRun;
import io.phasewise.experiments.matrix.MatrixRunner;
import io.phasewise.experiments.matrix.Row;
import io.phasewise.experiments.matrix.RowResult;
import io.phasewise.experiments.matrix.Scene;
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
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Puts every fault to a scene of its own and writes the matrix. */
@Command(
        name = "matrix",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Break three brokers, the canary and Prometheus, one fault after another, and report the effect of each.",
            "",
            "The expected effect of a fault is declared in a file of its own, before the run. All"
                    + " rows take about two and a half hours, with --short an hour and a half."
                    + " Progress is on standard error. Results are in --out after every row.",
            "",
            "The exit status is 1 when a row is not as declared, or when the machine was too busy"
                    + " to judge it. A row that this machine cannot carry out is skipped.",
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
            description = "Time without a fault, before and after each (${DEFAULT-VALUE}).")
    private int plain = 20;

    @Mixin
    private OutOption out;

    @Option(
            names = "--renew",
            description = "Run the rows of --row again. Their results replace the earlier ones in --out,"
                    + " and the page says so.")
    private boolean renew;

    MatrixCommand(Path root, BooleanSupplier interrupted) {
        this.root = root;
        this.interrupted = interrupted;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        OptionCheck check = new OptionCheck().within("--plain", plain, 2, 600);
        List<Row> rows = rows(check);
        Optional<MatrixDocument> earlier = earlier(check);
        check.done();
        out.make();
        MatrixProgress progress = new MatrixProgress(
                out,
                earlier,
                new MatrixDocument(
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                        Main.command(spec),
                        Machine.describe(),
                        Build.circumstances(root),
                        List.of(),
                        rows.stream().map(Row::name).toList(),
                        List.of()));
        try (Scratch scratch = Scratch.create()) {
            new MatrixRun(
                            row -> row.obstacle(scratch.directory()),
                            cluster -> open(cluster, scratch.directory(), progress),
                            interrupted,
                            this::say,
                            result -> keep(result, progress))
                    .run(rows);
        }
        progress.write();
        spec.commandLine().getOut().println(progress.shown().markdown());
        say(progress.run().summary());
        return progress.run().passed() ? 0 : 1;
    }

    private void keep(RowResult result, MatrixProgress progress) {
        progress.add(result);
        say("      " + result.name() + ": " + result.state().label());
        result.reasons().forEach(reason -> say("      " + reason));
    }

    private MatrixRun.Stage open(ClusterSpec cluster, Path scratch, MatrixProgress progress)
            throws IOException, InterruptedException {
        Path directory = Files.createDirectories(scratch.resolve(cluster.label()));
        say("starting " + cluster.label() + ", two canaries, Prometheus, Alertmanager");
        Scene scene = Scene.start(root, directory, cluster);
        progress.setUp(scene.versions());
        return new MatrixRunner(scene, Duration.ofSeconds(plain), !brief);
    }

    /** The run of which some rows are to be renewed; empty where none are. */
    private Optional<MatrixDocument> earlier(OptionCheck check) throws IOException {
        if (!renew) {
            return Optional.empty();
        }
        check.holds(!only.isEmpty(), "--renew: name the rows with --row");
        Path file = out.resolve("fault-matrix.json");
        if (!Files.isRegularFile(file)) {
            check.holds(false, "--renew: there is no earlier run, " + file);
            return Optional.empty();
        }
        try {
            MatrixDocument document = MatrixDocument.read(Files.readString(file));
            String machine = document.machine();
            check.holds(
                    machine.equals(Machine.describe()), "--renew: the earlier run was on another machine, " + machine);
            return Optional.of(document);
        } catch (JsonProcessingException e) {
            check.holds(false, "--renew: " + file + " is no matrix: " + e.getOriginalMessage());
            return Optional.empty();
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
