/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import io.phasewise.experiments.catalogue.Catalogue;
import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Parameter;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Says which experiments there are and what can be set. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Say which experiments there are, and their parameters.")
final class ListCommand implements Runnable {
    private final Catalogue catalogue;

    @Spec private CommandSpec spec;

    ListCommand(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        for (Experiment experiment : catalogue.all()) {
            out.printf(
                    "%s%n  %s%s%n",
                    experiment.name(),
                    experiment.about(),
                    experiment.needsFault() ? " (breaks its own brokers)" : "");
            experiment.parameters().forEach(parameter -> print(out, parameter));
        }
        out.printf("%s%n  %s%n", SoakRun.NAME, SoakRun.ABOUT);
        SoakRun.PARAMETERS.forEach(parameter -> print(out, parameter));
        out.println("All but soak also have:");
        Pace.PARAMETERS.forEach(parameter -> print(out, parameter));
    }

    private static void print(PrintWriter out, Parameter parameter) {
        out.printf(
                "    %-12s %s (%s; allowed: %s)%n",
                parameter.name(), parameter.about(), parameter.fallback(), parameter.allowed());
    }
}
