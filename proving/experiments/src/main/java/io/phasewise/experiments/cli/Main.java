/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import io.phasewise.common.cli.FailureHandler;
import io.phasewise.common.cli.UsageErrors;
import io.phasewise.common.progress.Interruption;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** The entry of {@code ./phasewise lab}: parses the command line, maps failures to statuses. */
@Command(
        name = "phasewise lab",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Experiments and faults on real brokers, measured by the canary.",
            "",
            "Let nothing else run meanwhile. Our results: docs/evidence/experiments.md.",
        },
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            " 0:done",
            " 1:failed at run time, or interrupted (Ctrl-C)",
            " 2:bad usage",
            " 3:something needed is missing; the message says what and how to get it",
        })
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Path root = Path.of(System.getProperty("phasewise.root", "")).toAbsolutePath();
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        // // Brokers run in sessions of their own, so a Ctrl-C reaches only this process: it ends
        // and mends them.
        Interruption interruption = Interruption.install();
        interruption.finish(run(root, out, err, interruption::requested, arguments));
    }

    /** The command line with all its commands. */
    static CommandLine commands(Path root, BooleanSupplier interrupted) {
        return new CommandLine(new Main())
                .addSubcommand(new ListCommand())
                .addSubcommand(new RunCommand(root))
                .addSubcommand(new MatrixCommand(root, interrupted));
    }

    /** The command line as it was given, so that it can be run again. */
    static String command(CommandSpec of) {
        List<String> given = of.root().commandLine().getParseResult().originalArgs();
        return "./phasewise lab " + String.join(" ", given);
    }

    /** Runs one command line. */
    static int run(Path root, PrintWriter out, PrintWriter err, BooleanSupplier interrupted, String... arguments) {
        return commands(root, interrupted)
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler(new UsageErrors("phasewise lab"))
                .setExecutionExceptionHandler(new FailureHandler("phasewise lab", interrupted))
                .execute(arguments);
    }
}
