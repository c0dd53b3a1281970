/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.common.cli.FailureHandler;
import io.phasewise.common.cli.UsageErrors;
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
import java.util.ResourceBundle;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;

/** The entry of the launcher: parses the command line and maps failures to exit statuses. */
@Command(
        name = "phasewise",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND")
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        Interruption interruption = Interruption.install();
        Context context = new Context(
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

    /** The command line with all its commands. */
    static CommandLine commands(Context context) {
        CommandLine all = new CommandLine(new Main())
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
        all.setResourceBundle(ResourceBundle.getBundle("io.phasewise.lab.cli.commands"));
        return all;
    }

    /** Runs one command line. */
    static int run(Context context, BooleanSupplier askedToEnd, PrintWriter err, String... arguments) {
        Ansi ansi = context.screen().terminal().colour() ? Ansi.ON : Ansi.OFF;
        return commands(context)
                .setOut(new PrintWriter(context.screen().out(), true, StandardCharsets.UTF_8))
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(ansi))
                .setParameterExceptionHandler(new UsageErrors("phasewise"))
                .setExecutionExceptionHandler(new FailureHandler("phasewise", askedToEnd))
                .execute(arguments);
    }
}
