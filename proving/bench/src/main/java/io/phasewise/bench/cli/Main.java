/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.record.RecordedProbe;
import io.phasewise.common.cli.FailureHandler;
import io.phasewise.common.cli.UsageErrors;
import io.phasewise.common.progress.Interruption;
import io.phasewise.exporter.marks.ColdRequest;
import io.phasewise.exporter.marks.MarkCalls;
import io.phasewise.exporter.timing.RecordedRequest;
import io.phasewise.lab.measure.Machine;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
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
            "Measure Phasewise itself, on brokers of its own on this machine. Without a name, this list is printed.",
            "",
            "A benchmark prints its progress to standard error, and its result to standard output."
                    + " Let nothing else run meanwhile.",
            "Our results: docs/evidence/benchmarks.md.",
        },
        synopsisSubcommandLabel = "[BENCHMARK]",
        commandListHeading = "%nBenchmarks:%n",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            " 0:done",
            " 1:failed at run time",
            " 2:bad usage",
            " 3:something needed is missing; the message says what and how to get it",
        })
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec;

    private Main() {}

    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT); // Tables are the same in every country.
        Path root = Path.of(System.getProperty("phasewise.root", "")).toAbsolutePath();
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        // // Brokers run in sessions of their own, so a Ctrl-C reaches only this process: it ends
        // them.
        Interruption interruption = Interruption.install();
        interruption.finish(run(root, out, err, interruption::requested, arguments));
    }

    /** All benchmarks; each returns its result. */
    static CommandLine commands(Path root, Consumer<String> progress) {
        return new CommandLine(new Main())
                .addSubcommand("record", jmh("Time and garbage of recording one probe.", RecordedProbe.class))
                .addSubcommand(new PeersCommand(root, progress))
                .addSubcommand(new ScrapeCommand(root, progress))
                .addSubcommand(new FleetCommand(root, progress))
                .addSubcommand(
                        "agent-request",
                        jmh(
                                "Time and garbage that the exporter's agent adds to one request on"
                                        + " a broker: of timing it, of each hook of marks, and of all"
                                        + " of them with cold caches.",
                                RecordedRequest.class,
                                MarkCalls.class,
                                ColdRequest.class))
                .addSubcommand(new AgentLoadCommand(root, progress));
    }

    /** JMH's benchmarks of some classes as a command. */
    private static CommandLine jmh(String description, Class<?>... benchmarks) {
        CommandLine command = new CommandLine(new JmhCommand(benchmarks));
        command.getCommandSpec().usageMessage().description(description);
        return command;
    }

    /** Runs one command line. */
    static int run(Path root, PrintWriter out, PrintWriter err, BooleanSupplier interrupted, String... arguments) {
        CommandLine line = commands(root, err::println).setOut(out).setErr(err);
        line.setParameterExceptionHandler(new UsageErrors("phasewise bench"));
        line.setExecutionExceptionHandler(new FailureHandler("phasewise bench", interrupted, RunnerException.class));
        int status = line.execute(arguments);
        for (CommandLine benchmark : line.getSubcommands().values()) {
            if (benchmark.getExecutionResult() instanceof String result) {
                out.printf("%s%n%n%s", Machine.describe(), result);
            }
        }
        return status;
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
