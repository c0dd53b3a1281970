/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import io.phasewise.experiments.matrix.Layout;
import io.phasewise.experiments.matrix.Matrix;
import io.phasewise.experiments.matrix.Scene;
import io.phasewise.experiments.matrix.Setup;
import io.phasewise.experiments.plan.Parameter;
import io.phasewise.experiments.plan.Parameters;
import io.phasewise.experiments.plan.UsageException;
import io.phasewise.experiments.soak.Sample;
import io.phasewise.experiments.soak.Soak;
import io.phasewise.experiments.soak.SoakDocument;
import io.phasewise.experiments.soak.SoakFaults;
import io.phasewise.lab.measure.Machine;
import io.phasewise.lab.measure.Scratch;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Carries {@code lab run soak} out: no comparison, one long run with faults. */
final class SoakRun {
    static final String NAME = "soak";

    static final String ABOUT =
            "What grows in canary and brokers over hours of load, restarts and faults? (breaks its"
                    + " own brokers)";

    static final List<Parameter> PARAMETERS =
            List.of(
                    Parameter.number("hours", "all of it", 2, 0.05, 168),
                    Parameter.whole("interval", "seconds from sample to sample", 30, 10, 3_600),
                    Parameter.number("records", "a second, of the load", 500, 1, 20_000));

    private final Path root;
    private final Path out;
    private final Consumer<String> progress;
    private final BooleanSupplier interrupted;
    private final List<Sample> samples = new ArrayList<>();
    private final List<String> troubles = new ArrayList<>();
    private Setup setup = Setup.UNKNOWN;
    private Map<String, String> leftOut = Map.of();

    SoakRun(Path root, Path out, Consumer<String> progress, BooleanSupplier interrupted) {
        this.interrupted = interrupted;
        this.root = root;
        this.out = out;
        this.progress = progress;
    }

    /**
     * Runs it, once.
     *
     * @return whether it ran to its end without trouble; what it saw is written also when it did
     *     not
     */
    boolean run(Parameters given, PrintWriter terminal)
            throws UsageException, IOException, InterruptedException {
        double count = given.number("hours") * 3_600 / given.number("interval");
        if (count < SoakDocument.LEAST_SAMPLES) {
            throw new UsageException(
                    List.of(
                            String.format(
                                    Locale.ROOT,
                                    "--param interval=%s is not allowed; allowed: %d samples or"
                                            + " more in hours (%s)",
                                    given.text("interval"),
                                    SoakDocument.LEAST_SAMPLES,
                                    given.text("hours"))));
        }
        ReportDirectory.make(out);
        Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        setup = Setup.atStart(root);
        try {
            soak(given);
        } catch (IOException | RuntimeException | InterruptedException e) {
            troubles.add(
                    e instanceof InterruptedException || interrupted.getAsBoolean()
                            ? "interrupted"
                            : "broken off: " + Soak.reason(e));
            throw e;
        } finally {
            if (samples.size() >= SoakDocument.LEAST_SAMPLES) {
                setup = setup.atEnd();
                write(document(started, given), terminal);
            }
        }
        return document(started, given).good();
    }

    private void soak(Parameters given) throws IOException, InterruptedException {
        try (Scratch scratch = Scratch.create()) {
            progress.accept("starting three brokers and a canary");
            try (Scene scene = Scene.start(root, scratch.directory(), Layout.PLAIN, false)) {
                setup = setup.and(scene.setup());
                SoakFaults faults = faults(scene);
                leftOut = faults.leftOut();
                leftOut.forEach((row, why) -> progress.accept("left out: " + row + ": " + why));
                new Soak(
                                scene,
                                faults.made(),
                                Duration.ofSeconds(given.whole("interval")),
                                progress,
                                interrupted)
                        .run(
                                Duration.ofSeconds(Math.round(given.number("hours") * 3_600)),
                                given.number("records"),
                                samples::add,
                                troubles::add);
            }
        }
    }

    private static SoakFaults faults(Scene scene) throws InterruptedException {
        Path data = scene.cluster().broker(1).dataDirectory();
        return SoakFaults.of(Matrix.rows(), fault -> Matrix.obstacle(fault, data));
    }

    private SoakDocument document(Instant started, Parameters given) {
        return new SoakDocument(
                started.toString(),
                String.format(
                        Locale.ROOT,
                        "./phasewise lab run soak --hours %s --param interval=%s --param"
                                + " records=%s",
                        given.text("hours"),
                        given.text("interval"),
                        given.text("records")),
                Machine.describe(),
                setup,
                samples,
                leftOut,
                troubles);
    }

    private void write(SoakDocument document, PrintWriter terminal) throws IOException {
        ResultFile.write(out.resolve("soak.json"), document.json());
        ResultFile.write(out.resolve("soak.md"), document.markdown());
        terminal.println(document.markdown());
    }
}
