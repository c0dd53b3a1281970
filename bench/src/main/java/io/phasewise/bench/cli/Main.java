/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.common.progress.Interruption;
import io.phasewise.lab.process.AwaitException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The entry of {@code ./phasewise bench}: parses the command line, maps failures to exit statuses.
 */
@Command(
        name = "phasewise bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures Phasewise itself, on brokers of its own on this machine.",
            "",
            "A benchmark prints its progress to standard error and its result to standard output,"
                + " as a Markdown table. Leave the machine alone while one runs. Results of ours:"
                + " docs/evidence/benchmarks/.",
        },
        synopsisSubcommandLabel = "BENCHMARK",
        commandListHeading = "%nBenchmarks:%n",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            " 0:done",
            " 1:failed at run time",
            " 2:bad usage",
        })
public final class Main implements Runnable {
    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    private Main() {}

    public static void main(String[] arguments) {
        Path root = Path.of(System.getProperty("phasewise.root", "")).toAbsolutePath();
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        // What a benchmark started must end with it, also on Ctrl-C: brokers are sessions of their
        // own.
        Interruption interruption = Interruption.install();
        interruption.finish(run(root, out, err, arguments));
    }

    /** All benchmarks. */
    static CommandLine commands(Path root) {
        return new CommandLine(new Main())
                .addSubcommand(new RecordCommand())
                .addSubcommand(new PeersCommand(root))
                .addSubcommand(new ScrapeCommand(root))
                .addSubcommand(new AgentRequestCommand())
                .addSubcommand(new AgentLoadCommand(root))
                .addSubcommand(new FiguresCommand(root))
                .addSubcommand(new ListCommand());
    }

    /** Runs one command line. */
    static int run(Path root, PrintWriter out, PrintWriter err, String... arguments) {
        return commands(root)
                .setOut(out)
                .setErr(err)
                .setExecutionExceptionHandler(
                        (failure, command, parsed) -> {
                            if (failure instanceof InterruptedException) {
                                err.println("interrupted");
                            } else if (failure instanceof AwaitException
                                    || failure instanceof IOException
                                    || failure instanceof UncheckedIOException
                                    || failure instanceof RunnerException
                                    || failure instanceof ExecutionException) {
                                err.println("phasewise bench: " + failure.getMessage());
                            } else {
                                throw failure;
                            }
                            return 1;
                        })
                .execute(arguments);
    }

    @Override
    public void run() {
        ListCommand.print(spec.commandLine());
    }
}
