/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.common.progress.Interruption;
import io.phasewise.lab.measure.Machine;
import io.phasewise.lab.process.AwaitException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * The entry of {@code ./phasewise bench}: parses the command line, prints what a benchmark returns
 * below a line about the machine, maps failures to exit statuses.
 */
@Command(
        name = "phasewise bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures Phasewise itself, on brokers of its own on this machine. Without a name:"
                    + " lists the benchmarks.",
            "",
            "A benchmark prints its progress to standard error and its result to standard output,"
                + " as a Markdown table. Leave the machine alone while one runs. Results of ours:"
                + " docs/evidence/benchmarks.md.",
        },
        synopsisSubcommandLabel = "[BENCHMARK]",
        commandListHeading = "%nBenchmarks:%n",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            " 0:done",
            " 1:failed at run time",
            " 2:bad usage",
        })
public final class Main implements Runnable {
    @Spec private CommandSpec spec;

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

    /** All benchmarks; each returns its result. */
    static CommandLine commands(Path root, Consumer<String> progress) {
        return new CommandLine(new Main())
                .addSubcommand(new RecordCommand())
                .addSubcommand(new PeersCommand(root, progress))
                .addSubcommand(new ScrapeCommand(root, progress))
                .addSubcommand(new AgentRequestCommand())
                .addSubcommand(new AgentLoadCommand(root, progress));
    }

    /** Runs one command line. */
    static int run(Path root, PrintWriter out, PrintWriter err, String... arguments) {
        return commands(root, err::println)
                .setOut(out)
                .setErr(err)
                .setExecutionStrategy(parsed -> execute(parsed, out))
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

    private static int execute(ParseResult parsed, PrintWriter out) {
        int status = new CommandLine.RunLast().execute(parsed);
        if (parsed.hasSubcommand()) {
            Object result = parsed.subcommand().commandSpec().commandLine().getExecutionResult();
            if (result != null) {
                out.printf("%s%n%n%s", Machine.describe(), result);
            }
        }
        return status;
    }

    @Override
    public void run() {
        spec.subcommands()
                .forEach(
                        (name, benchmark) ->
                                spec.commandLine()
                                        .getOut()
                                        .printf(
                                                "%-16s%s%n",
                                                name,
                                                benchmark
                                                        .getCommandSpec()
                                                        .usageMessage()
                                                        .description()[0]));
    }
}
