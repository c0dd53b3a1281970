/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import io.phasewise.experiments.catalogue.Catalogue;
import io.phasewise.experiments.plan.UsageException;
import io.phasewise.lab.cli.Interruption;
import io.phasewise.lab.process.AwaitException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The entry of {@code ./phasewise lab}: parses the command line, maps failures to statuses. */
@Command(
        name = "phasewise lab",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Experiments and faults on real brokers, measured by the canary.",
            "",
            "Leave the machine alone while one runs. Results of ours: docs/experiments/.",
        },
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            " 0:done",
            " 1:failed at run time, or interrupted (Ctrl-C)",
            " 2:bad usage",
        })
public final class Main implements Runnable {
    @Spec private CommandSpec spec;

    private Main() {}

    public static void main(String[] arguments) {
        Path root = Path.of(System.getProperty("phasewise.root", "")).toAbsolutePath();
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        // Brokers are sessions of their own: what was started or broken ends with this, also on
        // Ctrl-C.
        Interruption interruption = Interruption.install();
        interruption.finish(run(root, out, err, interruption::requested, arguments));
    }

    /** Runs one command line. */
    static int run(
            Path root,
            PrintWriter out,
            PrintWriter err,
            BooleanSupplier interrupted,
            String... arguments) {
        Catalogue catalogue = new Catalogue();
        CommandLine commands =
                new CommandLine(new Main())
                        .addSubcommand(new ListCommand(catalogue))
                        .addSubcommand(new RunCommand(root, catalogue, interrupted))
                        .addSubcommand(new MatrixCommand(root, interrupted));
        return commands.setOut(out)
                .setErr(err)
                .setExecutionExceptionHandler(
                        (failure, command, parsed) -> {
                            if (failure instanceof UsageException) {
                                err.println(failure.getMessage());
                                return CommandLine.ExitCode.USAGE;
                            }
                            // Ctrl-C also ends tools that run just then, as that which
                            // formats a broker's storage; their failure is the interruption.
                            if (failure instanceof InterruptedException
                                    || interrupted.getAsBoolean()) {
                                err.println("interrupted; everything was undone");
                            } else if (failure instanceof AwaitException
                                    || failure instanceof IOException
                                    || failure instanceof UncheckedIOException) {
                                err.println("phasewise lab: " + failure.getMessage());
                            } else {
                                throw failure;
                            }
                            return CommandLine.ExitCode.SOFTWARE;
                        })
                .execute(arguments);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "which command? Allowed: " + String.join(", ", spec.subcommands().keySet()));
    }
}
