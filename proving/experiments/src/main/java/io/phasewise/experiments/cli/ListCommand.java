/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import io.phasewise.experiments.plan.Estimate;
import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Parameter;
import io.phasewise.experiments.plan.Parameters;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the experiments and their parameters. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "List the experiments, how long each takes, and its parameters.")
final class ListCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        for (Experiment experiment : Experiment.all()) {
            out.printf(
                    "%s (%s)%n  %s%s%n",
                    experiment.name(),
                    Estimate.text(estimate(experiment)),
                    experiment.question(),
                    experiment.breaksBrokers() ? " (breaks its own brokers)" : "");
            experiment.own().forEach(parameter -> print(out, parameter));
        }
        out.println("Times are by the defaults, on an idle machine. All also have:");
        Pace.PARAMETERS.forEach(parameter -> print(out, parameter));
    }

    private static Duration estimate(Experiment experiment) {
        Parameters defaults = Parameters.read(experiment.parameters(), Map.of());
        return Pace.of(defaults).estimate(experiment.plan(defaults));
    }

    private static void print(PrintWriter out, Parameter parameter) {
        out.printf(
                "    %-12s %s (%s; allowed: %s)%n",
                parameter.name(), parameter.about(), parameter.fallback(), parameter.allowed());
    }
}
