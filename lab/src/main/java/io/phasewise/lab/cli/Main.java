/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.common.cli.Version;
import io.phasewise.common.progress.Interruption;
import io.phasewise.common.progress.Screen;
import io.phasewise.lab.stack.Context;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The launcher's entry: parses the command line and maps failures to exit statuses. */
@Command(
        name = "phasewise",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = "Kafka latency, measured end to end: a local stack to see it on.",
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            " 0:done",
            " 1:failed at run time",
            " 2:bad usage or configuration",
            " 3:something needed is missing; the message says what and how to get it"
        },
        footerHeading = "%nAlso, each with --help:%n",
        footer = {
            "  pause     Stop sending probes.",
            "  resume    Send probes again.",
            "  demote    Move leadership off a degraded broker, and say what that gains.",
            "  telemetry Let applications' clients push what they measure.",
            "  test      Run every check and test.",
            "  report    Write a capacity review of a cluster.",
            "  bench     Measure Phasewise itself.",
            "  lab       Experiments and faults on real brokers.",
            "  docs      Build the documentation as a site."
        })
public final class Main implements Runnable {

    @Spec private CommandSpec spec;

    private Main() {}

    public static void main(String[] arguments) {
        Interruption interruption = Interruption.install();
        Context context =
                new Context(
                        Optional.ofNullable(System.getProperty("phasewise.root")).map(Path::of),
                        Path.of("").toAbsolutePath(),
                        System.getenv(),
                        Screen.ofStandardOutput(),
                        Context.httpClient(),
                        InstantSource.system(),
                        System::nanoTime,
                        ZoneId.systemDefault());
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int status = run(context, interruption::requested, err, arguments);
        context.screen().out().flush();
        interruption.finish(status);
    }

    /** All commands. */
    static CommandLine commands(Context context) {
        CommandLine all =
                new CommandLine(new Main())
                        .addSubcommand(new UpCommand(context))
                        .addSubcommand(new DownCommand(context))
                        .addSubcommand(new StatusCommand(context))
                        .addSubcommand(new LogsCommand(context))
                        .addSubcommand(new ReceiverCommand(context))
                        .addSubcommand(new SecretsCommand(context));
        for (CommandLine each : all.getSubcommands().values()) {
            each.getCommandSpec()
                    .mixinStandardHelpOptions(true)
                    .versionProvider(new Version())
                    .usageMessage()
                    .sortOptions(false);
        }
        return all;
    }

    /** Runs one command line. */
    static int run(
            Context context, BooleanSupplier askedToEnd, PrintWriter err, String... arguments) {
        return commands(context)
                .setOut(new PrintWriter(context.screen().out(), true, StandardCharsets.UTF_8))
                .setErr(err)
                .setColorScheme(
                        CommandLine.Help.defaultColorScheme(
                                context.screen().terminal().colour()
                                        ? CommandLine.Help.Ansi.ON
                                        : CommandLine.Help.Ansi.OFF))
                .setExecutionExceptionHandler(Failure.handler(askedToEnd, err, "phasewise"))
                .execute(arguments);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "which command? Allowed: " + String.join(", ", spec.subcommands().keySet()));
    }
}
