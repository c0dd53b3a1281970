/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import io.phasewise.common.cli.UsageException;
import io.phasewise.experiments.cluster.LabCluster;
import io.phasewise.experiments.plan.Estimate;
import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Parameters;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.report.Report;
import io.phasewise.experiments.report.Result;
import io.phasewise.experiments.run.Build;
import io.phasewise.experiments.run.Runner;
import io.phasewise.experiments.run.Turn;
import io.phasewise.lab.measure.Machine;
import io.phasewise.lab.measure.Scratch;
import io.phasewise.lab.stack.CanaryJvm;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs one experiment and writes its report. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Run an experiment on three brokers of its own.",
            "",
            "lab list says how long each takes. Progress is on standard error.",
        })
final class RunCommand implements Callable<Integer> {
    private final Path root;

    @Spec
    private CommandSpec spec;

    @picocli.CommandLine.Parameters(paramLabel = "NAME", description = "Name of the experiment; see lab list.")
    private String name;

    @Option(
            names = "--param",
            paramLabel = "KEY=VALUE",
            description = "Set a parameter; can be repeated. See lab list.")
    private Map<String, String> given = new LinkedHashMap<>();

    @Mixin
    private OutOption out;

    RunCommand(Path root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Experiment experiment = experiment();
        Parameters parameters = Parameters.read(experiment.parameters(), given);
        Pace pace = Pace.of(parameters);
        Plan plan = experiment.plan(parameters);
        Path directory = out.make();
        int turns = pace.repeats() * plan.variants().size();
        say(Estimate.text(pace.estimate(plan)) + ": " + turns + " turns");
        Report report = new Report(run(experiment, parameters, pace, plan));
        PrintWriter terminal = spec.commandLine().getOut();
        terminal.println(report.tables());
        report.write(directory).forEach(terminal::println);
        return 0;
    }

    private Experiment experiment() {
        Map<String, Experiment> all = new LinkedHashMap<>();
        Experiment.all().forEach(each -> all.put(each.name(), each));
        if (!all.containsKey(name)) {
            String names = String.join(", ", all.keySet());
            throw new UsageException("there is no experiment " + name + "; allowed: " + names);
        }
        return all.get(name);
    }

    private Result run(Experiment experiment, Parameters parameters, Pace pace, Plan plan)
            throws IOException, InterruptedException {
        Instant started = Instant.now();
        Map<String, String> circumstances = new LinkedHashMap<>();
        circumstances.put("parameters", parameters.toString());
        circumstances.put("machine", Machine.describe());
        circumstances.putAll(Build.circumstances(root));
        say("starting three brokers");
        try (Scratch scratch = Scratch.create();
                LabCluster cluster = LabCluster.start(root, scratch.directory(), plan.layout(), builder -> builder)) {
            circumstances.putAll(LabCluster.versions());
            circumstances.put("canary's JVM", String.join(" ", CanaryJvm.options()));
            circumstances.put(
                    "heap of the load's producers", (Runtime.getRuntime().maxMemory() >> 20) + " MiB");
            List<Turn> turns = new Runner(cluster, this::say).run(plan, pace);
            circumstances.put("load average at the end", Machine.loadAverage());
            return new Result(experiment, Main.command(spec), pace, plan, circumstances, started, turns);
        }
    }

    private void say(String line) {
        spec.commandLine().getErr().println(line);
    }
}
